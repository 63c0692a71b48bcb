# frozen_string_literal: true

require_relative "pushcrypt/version"
require_relative "pushcrypt/strict_json"
require_relative "pushcrypt/keys"
require_relative "pushcrypt/signing_keyring"
require_relative "pushcrypt/recipient"
require_relative "pushcrypt/row"
require_relative "pushcrypt/payload_rules"
require_relative "pushcrypt/carriers"
require_relative "pushcrypt/push"
require_relative "pushcrypt/sealer"
