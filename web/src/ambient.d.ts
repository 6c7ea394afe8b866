declare module 'virtual:catalogue/*' {
  const address: string;
  export default address;
}
