export * from './pushcrypt.js';
