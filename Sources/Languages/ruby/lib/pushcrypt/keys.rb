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

    # Returns the bytes of strict base64url without padding, or nil.
    def decode(text)
      data = text.b.tr("-_", "+/").unpack1("m")
      data if base64(data) == text.b # Ruby skips other characters.
    end

    # Returns the 32 bytes of a key in strict base64url.
    def decode_key(text)
      data = decode(text)
      return data if data && data.bytesize == 32

      raise malformed("The key isn't 32 bytes in strict base64url. Use the whole key.")
    end

    # Returns whether a text is 32 bytes in strict base64url.
    def thumbprint?(text)
      decode(text)&.bytesize == 32
    end

    # Returns the bytes of a text without white space around it.
    def strip(key)
      text = key.b
      text[text.index(/[^ \t\r\n]/n) || 0..text.rindex(/[^ \t\r\n]/n) || -1]
    end

    def parse(text)
      StrictJSON.parse(text)
    rescue StrictJSON::SyntaxError => error
      raise malformed(error.message)
    end

    def string(node, name)
      node[name]&.text || raise(malformed("The member \"#{name}\" is missing or isn't a string. Use a whole JWK."))
    end

    def number(node, name, limits = 0..MAXIMUM_INTEGER)
      node[name]&.integer(limits) ||
        raise(Error.new("malformed-keyring", "The number \"#{name}\" is missing or isn't valid. Restore the file."))
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
