# frozen_string_literal: true

module PushCrypt
  # Seals payloads. Create it with signed or anonymous.
  class Sealer
    DEFAULT_LIFETIME = 604_800
    DEFAULT_PLACEHOLDER = { "body" => "(Encrypted)" }.freeze
    PADDINGS = %w[buckets maximum none].freeze
    # The ends that Apple requires of the header apns-topic.
    TOPIC_SUFFIXES = { "voip" => ".voip", "location" => ".location-query", "pushtotalk" => ".voip-ptt" }.freeze
    SIGNATURE_DOMAIN = "pushcrypt/v1/signature\0".b.freeze
    APNS_ID_DOMAIN = "pushcrypt/v1/apns-id\0".b.freeze
    PLACEHOLDER_KEYS = %w[
      title title-loc-key title-loc-args subtitle subtitle-loc-key subtitle-loc-args body loc-key loc-args
    ].freeze
    SEALED_BOX = ->(message, public_key) { RbNaCl::Boxes::Sealed.from_public_key(public_key).box(message) }
    private_constant :PLACEHOLDER_KEYS, :SEALED_BOX

    # Returns a sealer that signs for each device with the first key of the SigningKeyring that the device accepts.
    #
    # A SigningKey is a keyring of one key. The placeholder has members of Apple's alert dictionary.
    # The carrier is the service that sends the pushes. It decides the longest payload and the push types.
    def self.signed(keys, **settings)
      keyring = keys.is_a?(SigningKey) ? SigningKeyring.new([keys]) : keys
      unless keyring.is_a?(SigningKeyring)
        raise ArgumentError, "The keys aren't a SigningKeyring. Use anonymous to seal without one."
      end

      new(keyring, **settings)
    end

    # Returns a sealer that doesn't sign. Anyone who knows a device's public key could have sent its messages.
    def self.anonymous(**settings)
      new(nil, **settings)
    end

    private_class_method :new

    def initialize(keyring, lifetime: DEFAULT_LIFETIME, padding: "buckets", placeholder: DEFAULT_PLACEHOLDER, expose: [],
                   carrier: "apns")
      unless PADDINGS.include?(padding) && (expose - PayloadRules::EXPOSABLE_KEYS).empty?
        raise ArgumentError, "The padding or an exposed key is unknown. Use a listed value."
      end

      @keyring = keyring
      @lifetime = self.class.check_lifetime(lifetime)
      @padding = padding
      @lines = placeholder.transform_keys(&:to_s).compact
      @placeholder = encode_placeholder(@lines)
      # The alert stays readable in Live Activities alone, which aren't implemented.
      @expose = expose - %w[alert]
      @carrier = carrier
    end

    # Returns the push for one recipient.
    #
    # The payload is JSON text, which arrives byte for byte without white space between tokens, or a Hash. The recipient
    # is a Row, a Recipient, or the text of a registration or key. The lifetime is in seconds.
    def seal(payload, to, type: "alert", lifetime: nil, topic: nil, collapse_id: nil, priority: nil)
      now = Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)
      original = parse(payload)
      compact = original.compact
      kind = PayloadRules.check(original, compact.bytesize, type)
      if kind == PayloadRules::WITHDRAWAL && Carriers.collapse_id?(@carrier)
        collapse_id ||= PayloadRules.only_collapse_id(original)
      end
      check_carrier(original, type, collapse_id)
      before = frame(original, type)
      length = message_length(compact.bytesize, Carriers.room(@carrier, type, before.bytesize + 2))
      recipient = recipient(to)
      seconds = [self.class.check_lifetime(lifetime || @lifetime), recipient.lifetime].min
      headers = self.class.headers(type, now / 1000 + seconds, topic: topic, collapse_id: collapse_id, priority: priority)
      message_id = RbNaCl::Random.random_bytes(16)
      headers["apns-id"] = self.class.apns_id(message_id)
      key = @keyring&.key_for(recipient.signers)
      envelope = self.class.envelope(compact, kind, seconds, recipient, key, length, now, message_id)
      sealed = (before + JWK.base64(envelope) + '"}').force_encoding(Encoding::UTF_8)
      Push.new(sealed, headers, @carrier, now)
    end

    # Returns the lifetime in seconds, if it is from 1 second to 30 days.
    def self.check_lifetime(seconds)
      return seconds if seconds.is_a?(Integer) && seconds.between?(1, MAXIMUM_LIFETIME)

      raise Error.new("invalid-lifetime", "The lifetime isn't from 1 second to 30 days. Use a lifetime in this range.")
    end

    # Returns the headers of the request to APNs.
    def self.headers(type, expiration, topic: nil, collapse_id: nil, priority: nil)
      priority ||= type == "background" ? 5 : 10
      if ![1, 5, 10].include?(priority) || (type == "background" && priority == 10)
        raise Error.new("invalid-header", "The priority isn't 1, 5 or 10, or is 10 for a background push. Correct it.")
      end

      expiration = 0 if type == "pushtotalk" # APNs must not deliver it later.
      headers = { "apns-push-type" => type, "apns-priority" => priority.to_s, "apns-expiration" => expiration.to_s }
      values = [["apns-topic", topic, /\A[!-~]+\z/n], ["apns-collapse-id", collapse_id, /\A[!-~]{1,64}\z/n]]
      values.each do |name, value, pattern|
        next if value.nil?
        unless value.b.match?(pattern)
          raise Error.new("invalid-header", "#{name} isn't visible ASCII, or an id has over 64 bytes. Correct it.")
        end

        headers[name] = value.dup.force_encoding(Encoding::UTF_8)
      end
      suffix = TOPIC_SUFFIXES.fetch(type, "")
      if topic && (topic == suffix || !topic.end_with?(suffix))
        raise Error.new("invalid-header", "The topic doesn't fit the push type. Append #{suffix} to the app's bundle ID.")
      end

      headers
    end

    # Returns the header apns-id: a hash of the message id as a UUID of version 8 (RFC 9562).
    def self.apns_id(message_id)
      digest = RbNaCl::Hash.blake2b(APNS_ID_DOMAIN + message_id, digest_size: 16)
      digest.setbyte(6, digest.getbyte(6) & 0x0F | 0x80)
      digest.setbyte(8, digest.getbyte(8) & 0x3F | 0x80)
      digest.unpack("H8H4H4H4H12").join("-")
    end

    # Returns the envelope of a message. Use the box of a fixed ephemeral key for test vectors only: a second message with
    # the same ephemeral key would have the same key stream.
    # @api private
    def self.envelope(original, kind, lifetime, recipient, key, length, now, message_id, box = SEALED_BOX)
      header = "\x01".b + recipient.key_id
      message = [key ? 1 : 0, kind, original.bytesize, lifetime, now].pack("CCnNQ>") + message_id + original.b
      message = message.ljust(length - (key ? 72 : 0), "\0")
      if key
        message << key.key_id
        message << key.sign(SIGNATURE_DOMAIN + header + recipient.public_key + message)
      end
      header + box.call(message, recipient.public_key)
    rescue RbNaCl::CryptoError
      raise Error.new("invalid-key", "The key can't be used to seal. Register a new key.")
    end

    private

    def check_carrier(original, type, collapse_id)
      Carriers.check_type(@carrier, type)
      Carriers.check_collapse_id(@carrier, collapse_id)
      return unless type == "alert"

      aps = original["aps"]
      Carriers.check_alert(@carrier, @expose, aps && aps["sound"], @lines)
    end

    # Returns the key to seal to.
    def recipient(to)
      if to.is_a?(Row) && to.carrier != @carrier
        raise Error.new("wrong-carrier", "The row has a token of another carrier. Set the sealer's carrier.")
      end

      case to
      when Recipient then to
      when Row then to.recipient
      when String then Recipient.parse(to)
      else raise ArgumentError, "The recipient isn't a Row, a Recipient or text. Use the row of the device."
      end
    end

    def parse(payload)
      StrictJSON.parse(payload.is_a?(String) ? payload : JSON.generate(payload))
    rescue StrictJSON::SyntaxError => error
      raise Error.new("malformed-json", error.message)
    rescue JSON::JSONError, EncodingError
      raise Error.new("malformed-json", "The payload can't be written as JSON. Use UTF-8 and finite numbers.")
    end

    def frame(original, type)
      return '{"ENCRYPTED_DATA":"'.b unless Carriers.aps?(@carrier)

      aps = case type
            when "alert"
              '"alert":'.b + @placeholder + ',"mutable-content":1' + PayloadRules.exposed(original["aps"], @expose)
            when "background" then '"content-available":1'.b
            else "".b
            end
      '{"aps":{'.b + aps + '},"ENCRYPTED_DATA":"'
    end

    def message_length(payload_length, room)
      needed = payload_length + (@keyring ? 104 : 32)
      limit = room * 3 / 4 - 57
      if needed > limit
        raise Error.new("payload-too-large", "The payload is #{needed - limit} bytes too long. Shorten it.")
      end
      return needed if @padding == "none"

      sizes = @padding == "buckets" ? [256, 512, 1024, 2048] : []
      sizes.find { |size| size.between?(needed, limit) } || limit
    end

    def encode_placeholder(parts)
      if (parts.keys - PLACEHOLDER_KEYS).any? || parts.values_at(*PayloadRules::TEXTS).all? { |text| text.to_s.empty? }
        raise Error.new("invalid-placeholder", "The placeholder has no text, or an unknown member. Add a body.")
      end

      JSON.generate(parts.slice(*PLACEHOLDER_KEYS)).b
    rescue JSON::JSONError, EncodingError
      raise Error.new("invalid-placeholder", "The placeholder isn't Unicode text. Use UTF-8.")
    end
  end
end
