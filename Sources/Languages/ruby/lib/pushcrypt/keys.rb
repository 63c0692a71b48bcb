# frozen_string_literal: true

require "digest"
require "rbnacl"

module PushCrypt
  MAXIMUM_LIFETIME = 2_592_000
  MAXIMUM_INTEGER = 2**53 - 1

  # A failure with a code for programs and a reason for people, without content or keys.
  class Error < StandardError
    attr_reader :code, :reason
    # The generation of a stale answer.
    attr_reader :generation

    def initialize(code, reason, generation = nil)
      super("#{code}: #{reason}")
      @code = code
      @reason = reason
      @generation = generation
    end
  end

  # JWKs and their text.
  module JWK
    USES = { "X25519" => "enc", "Ed25519" => "sig" }.freeze

    module_function

    # Returns the thumbprint and the key id.
    def thumbprint(curve, public_key)
      digest = Digest::SHA256.digest(%({"crv":"#{curve}","kty":"OKP","x":"#{base64(public_key)}"}))
      [base64(digest), digest.byteslice(0, 8)]
    end

    # Returns base64url without padding.
    def base64(data)
      [data].pack("m0").tr("+/", "-_").delete("=")
    end

    # Returns the 32 bytes of a key in strict base64url.
    def decode_key(text)
      if text.b.match?(/\A[A-Za-z0-9_-]{43}\z/n)
        data = "#{text.tr('-_', '+/')}=".unpack1("m")
        return data if base64(data) == text.b
      end
      raise malformed("The key isn't 32 bytes in strict base64url. Use the whole key.")
    end

    def parse(text)
      StrictJSON.parse(text)
    rescue StrictJSON::SyntaxError => error
      raise malformed(error.message)
    end

    def string(node, name)
      node[name]&.text || raise(malformed("The member \"#{name}\" is missing or isn't a string. Use a whole JWK."))
    end

    def check_number(node, name, limits = 0..MAXIMUM_INTEGER)
      return if node[name]&.integer(limits)

      raise Error.new("malformed-keyring", "The number \"#{name}\" is missing or isn't valid. Restore the file.")
    end

    # Returns the bytes of "x" and "d" of a JWK of one of the curves. "d" can be nil.
    def members(node, curves = USES.keys)
      type = [string(node, "kty"), string(node, "crv")]
      string(node, "x")
      use = USES[type[1]]
      type << (node["use"] ? string(node, "use") : use)
      string(node, "d") if node["d"]
      unless curves.include?(type[1]) && type.values_at(0, 2) == ["OKP", use]
        raise Error.new("wrong-key-type", "The JWK isn't for #{curves.join(' or ')}. Use a key of this type.")
      end

      # The source has the same characters, because escapes aren't allowed here.
      %w[x d].map { |name| node[name] && decode_key(node[name].source[1..-2]) }
    end

    def keys(node)
      keys = node&.value
      return keys if keys.is_a?(Array) && keys.any?

      raise malformed('The member "keys" isn\'t an array with keys. Use a JWK Set.')
    end

    # Returns the primary key of a set, or its only key.
    def primary(node)
      keys = keys(node).each { |key| members(key) } # Only the chosen key must be of the needed curve.
      primary = keys.select { |key| key["state"] && string(key, "state") == "primary" }
      raise Error.new("multiple-primary-keys", "The set has several primary keys. Use one key.") if primary.size > 1
      raise malformed("The set has several keys and no primary key. Use one key.") if primary.empty? && keys.size > 1

      primary.first || keys.first
    end

    def malformed(reason)
      Error.new("malformed-jwk", reason)
    end
  end

  # A server's private Ed25519 key.
  class SigningKey
    attr_reader :thumbprint, :key_id

    # Returns the private key of a JWK, as text or a node.
    def self.parse(key)
      public_key, seed = JWK.members(key.is_a?(String) ? JWK.parse(key) : key, ["Ed25519"])
      raise Error.new("wrong-key-type", 'The JWK is a public key. Use a JWK with "d".') unless seed

      new(seed, public_key)
    end

    # Returns the primary key of a keyring file, which only its owner can read.
    def self.read(path)
      if File.symlink?(path) # NOFOLLOW rejects a link that appears later.
        raise Error.new("insecure-file", "The keyring is a link. Use the file itself, or from_keyring.")
      end

      File.open(path, File::RDONLY | File::NOFOLLOW | File::NONBLOCK) do |file|
        unless file.stat.file? && (file.stat.mode & 0o077).zero?
          raise Error.new("insecure-file", "The keyring isn't a file, or others can access it. Set its mode to 0600.")
        end

        from_keyring(file.read)
      end
    end

    # Returns the primary key of a keyring's text, for example from a secret manager.
    def self.from_keyring(text)
      keyring = JWK.parse(text)
      if keyring["protection"]
        raise Error.new("passphrase-required", "The keyring has a passphrase. Remove the passphrase first.")
      end

      JWK.check_number(keyring, "generation", 1..MAXIMUM_INTEGER)
      keys = JWK.keys(keyring["keys"]).map { |node| [parse_member(node), node["state"].value] }
      if keys.uniq { |key, _| key.thumbprint }.size < keys.size
        raise Error.new("duplicate-key", "The keyring contains a key twice. Restore the file.")
      end

      primary = keys.select { |_, state| state == "primary" }
      unless primary.size == 1
        raise Error.new(primary.empty? ? "no-primary-key" : "multiple-primary-keys",
                        "The keyring has #{primary.size} primary keys. Restore the file.")
      end
      primary[0][0]
    end

    def self.parse_member(node)
      key = parse(node)
      unless JWK.string(node, "kid") == key.thumbprint
        raise Error.new("thumbprint-mismatch", 'A "kid" isn\'t the thumbprint of its key. Restore the file.')
      end

      state = JWK.string(node, "state")
      unless %w[primary pending retired].include?(state)
        raise Error.new("unknown-key-state", "The state of a key is unknown. Restore the file.")
      end

      JWK.check_number(node, "created")
      JWK.check_number(node, "retired") if state == "retired"
      JWK.check_number(node, "lifetime", 1..MAXIMUM_LIFETIME) if node["lifetime"]
      key
    end
    private_class_method :parse_member

    # The seed has 32 bytes.
    def initialize(seed, public_key = nil)
      @key = RbNaCl::SigningKey.new(seed)
      derived = @key.verify_key.to_bytes
      unless public_key.nil? || public_key == derived
        raise Error.new("key-pair-mismatch", 'The member "d" doesn\'t belong to "x". Use the original key.')
      end

      @thumbprint, @key_id = JWK.thumbprint("Ed25519", derived)
    end

    # Returns the signature, 64 bytes.
    def sign(data)
      @key.sign(data)
    end

    # Returns a description without the secret.
    def inspect
      "#<#{self.class} #{thumbprint}>"
    end
  end
end
