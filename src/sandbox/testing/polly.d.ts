// The packages carry types of an older module system only; what is used of them is declared where it is used.
declare module '@pollyjs/adapter'
declare module '@pollyjs/persister-fs'
