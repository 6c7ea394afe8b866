declare module 'virtual:lessons/*' {
  const url: string;
  export default url;
}
declare module 'virtual:catalogue/*' {
  const url: string;
  export default url;
}
