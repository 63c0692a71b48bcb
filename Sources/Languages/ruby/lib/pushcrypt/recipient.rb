# frozen_string_literal: true

module PushCrypt
  # A device's X25519 key, the longest lifetime in seconds that its registration allows, and the thumbprints of the keys from
  # which it accepts signatures, or nil.
  class Recipient
    PRIME = 2**255 - 19
    SMALL_ORDER = %w[
      0000000000000000000000000000000000000000000000000000000000000000
      0100000000000000000000000000000000000000000000000000000000000000
      ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
      e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800
      5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157
    ].freeze
    private_constant :PRIME, :SMALL_ORDER

    attr_reader :public_key, :lifetime, :signers, :thumbprint, :key_id

    # Returns the recipient of a registration, a JWK, a JWK Set or 43 characters of base64url.
    def self.parse(key)
      if key.is_a?(String)
        text = JWK.strip(key)
        return new(JWK.decode_key(text)) unless text.start_with?("{")

        key = JWK.parse(text)
      end
      return Registration.parse(key).recipient if key["key"]

      new(JWK.members(key["keys"] ? JWK.primary(key["keys"]) : key, ["X25519"])[0])
    end

    def initialize(public_key, lifetime = MAXIMUM_LIFETIME, signers = nil)
      number = public_key.bytes.reverse.reduce(0) { |sum, byte| sum << 8 | byte }
      if public_key.bytesize != 32 || number >= PRIME || SMALL_ORDER.include?(public_key.unpack1("H*"))
        raise Error.new("invalid-key", "The X25519 key isn't 32 canonical bytes, or has small order. Register a new key.")
      end

      @public_key = public_key
      @lifetime = lifetime
      @signers = signers
      @thumbprint, @key_id = JWK.thumbprint("X25519", public_key)
    end
  end

  # A device's registration: its key and signers as a recipient, generation, lifetime and creation time in seconds.
  class Registration
    MAXIMUM_SIGNERS = 64
    private_constant :MAXIMUM_SIGNERS

    attr_reader :recipient, :generation, :lifetime, :created

    # Returns the registration of JSON text or a node.
    def self.parse(text)
      node = text.is_a?(String) ? StrictJSON.parse(text) : text
      key = node["key"]
      unless key&.value.is_a?(Hash)
        raise malformed('The member "key" is missing or isn\'t a JWK. Send the registration unchanged.')
      end

      public_key, secret = JWK.members(key, ["X25519"])
      raise malformed('The member "key" is a private key. Replace the key, and send its public half.') if secret

      public_key = Recipient.new(public_key).public_key
      limits = { "generation" => 1..MAXIMUM_INTEGER, "lifetime" => 1..MAXIMUM_LIFETIME, "created" => 0..MAXIMUM_INTEGER }
      numbers = limits.map do |name, range|
        node[name]&.integer(range) ||
          raise(malformed("The member \"#{name}\" isn't an integer in #{range}. Register again."))
      end
      new(public_key, *numbers, node["signers"] && parse_signers(node["signers"]))
    rescue StrictJSON::SyntaxError => error
      raise malformed(error.message)
    end

    # Returns a device token of APNs, 16 to 200 bytes in hexadecimal digits, in lowercase: the form to store.
    def self.device_token(text)
      unless text.is_a?(String) && text.valid_encoding? && text.b.match?(/\A(?:[0-9A-Fa-f]{2}){16,200}\z/)
        raise malformed("The device token isn't 16 to 200 bytes in hexadecimal. Correct it.")
      end

      text.downcase
    end

    # Returns a token in the form to store: that of APNs in lowercase, and that of another carrier unchanged.
    def self.stored_token(text, carrier)
      carrier == "apns" ? device_token(text) : text
    end

    def self.malformed(reason)
      Error.new("malformed-registration", reason)
    end

    # Returns 1 to 64 different thumbprints.
    def self.parse_signers(node)
      elements = node.value.is_a?(Array) ? node.value : []
      kids = elements.map { |element| element.text ? element.source[1..-2] : "" } # Escapes aren't allowed here.
      is_valid = kids.size.between?(1, MAXIMUM_SIGNERS) && kids.uniq.size == kids.size
      return kids.map { |kid| kid.dup.force_encoding(Encoding::UTF_8) } if is_valid && kids.all? { |kid| JWK.thumbprint?(kid) }

      raise malformed('The member "signers" isn\'t valid. Send the registration unchanged.')
    end
    private_class_method :malformed, :new, :parse_signers

    def initialize(public_key, generation, lifetime, created, signers)
      @recipient = Recipient.new(public_key, lifetime, signers)
      @generation = generation
      @lifetime = lifetime
      @created = created
    end

    # The values of all members. Two registrations with equal ones are the same.
    def members
      [recipient.public_key, recipient.signers, generation, lifetime, created]
    end

    # Returns a Boolean value that indicates whether a server that knows the other registration accepts this one.
    def follows?(known)
      return generation <= 2**52 unless known

      parts = ->(each) { [each.recipient.public_key, each.lifetime, each.recipient.signers] }
      is_same = parts.call(self) == parts.call(known)
      generation.between?(known.generation + (is_same ? 0 : 1), known.generation + 2**32)
    end
  end
end
