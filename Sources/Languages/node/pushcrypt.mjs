// The package for `import`. It has the same classes as the one for `require`.

import pushcrypt from './pushcrypt.js';

export const {
  Challenges, PrivateKey, PublicKey, PushCryptError, Recipient, Registration, Row, Sealer, SignerRoots, SigningKeyring, VERSION,
  nextGeneration,
} = pushcrypt;
export default pushcrypt;
