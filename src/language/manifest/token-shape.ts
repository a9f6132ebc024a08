// How a JSON Web Token of a block `jwt` looks where a third party repeats it. Source: RFC 7515 section 7.1.

/** Tokens in a text, by the braces with which their header and their claims begin. */
export const JWT_SHAPE: RegExp = /\beyJ[\w-]{6,}\.eyJ[\w-]{2,}\.[\w-]{8,}/g
