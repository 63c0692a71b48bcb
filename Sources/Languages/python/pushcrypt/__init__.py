"""Seals APNs payloads for one device, and opens them for tests."""

from .carriers import CARRIERS
from .keys import PushCryptError, SigningKey, SigningKeyring, VerificationKey
from .opener import Account, Opened, Opener
from .proofs import Challenges, answer_challenge
from .recipients import PrivateKey, Recipient, Registration, Row, accepted_row, device_token
from .sealer import Push, Sealer
from .signer_lists import SignerList, SignerRoots, issue_signer_list

__version__ = "0.1.0"

__all__ = ["CARRIERS", "Account", "Challenges", "Opened", "Opener", "PrivateKey", "Push", "PushCryptError", "Recipient",
           "Registration", "Row", "Sealer", "SignerList", "SignerRoots", "SigningKey", "SigningKeyring",
           "VerificationKey", "accepted_row", "answer_challenge", "device_token", "issue_signer_list"]
