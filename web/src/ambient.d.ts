declare module 'virtual:catalogue/*' {
  const url: string;
  export default url;
}
