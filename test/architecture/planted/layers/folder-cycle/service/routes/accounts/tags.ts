export const TAGS = ['a'];
