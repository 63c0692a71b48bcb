# frozen_string_literal: true

module PushCrypt
  # A server's challenges for an app: its bundle ID, the current secret of 32 bytes, and the previous one or nil.
  #
  # The token, the account and the carrier are those of the request at hand.
  class Challenges
    CHALLENGE_DOMAIN = "pushcrypt/v1/challenge\0".b.freeze
    PROOF_DOMAIN = "pushcrypt/v1/proof\0".b.freeze
    private_constant :CHALLENGE_DOMAIN, :PROOF_DOMAIN

    def initialize(topic, secret, previous = nil)
      @topic = topic
      @secrets = [secret, previous].compact
      return if @secrets.all? { |each| each.is_a?(String) && each.bytesize == 32 }

      raise ArgumentError, "A secret isn't 32 bytes. Use RbNaCl::Random.random_bytes(32), and store it."
    end

    # Returns the payload of a challenge, to be sealed with the kind "challenge".
    #
    # The registration is the text that the device has sent, and expires a time in seconds. A visible challenge displays
    # aps, which is JSON text or a Hash.
    def issue(registration, token, account: "", carrier: "apns", expires:, aps: nil)
      unless expires.is_a?(Integer) && expires.between?(0, MAXIMUM_INTEGER)
        raise ArgumentError, "The expiry isn't an integer of seconds. Use a time."
      end

      request = [@topic, carrier, account, Registration.stored_token(token, carrier)]
      nonce = nonce(@secrets[0], request, digest(registration), expires)
      after = aps.nil? ? "" : ",\"aps\":#{StrictJSON.parse(aps.is_a?(String) ? aps : JSON.generate(aps)).compact}"
      "{\"challenge\":\"#{JWK.base64(nonce)}\",\"expires\":#{expires}#{after}}"
    end

    # Returns the text of the registration in a device's answer, or raises an error if its proof isn't valid.
    def verify(answer, token, account: "", carrier: "apns", now: nil)
      registration, expires, proof = read(answer)
      token = Registration.stored_token(token, carrier)
      Registration.parse(registration)
      now ||= Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)
      if now >= expires * 1000
        raise Error.new("expired-challenge", "The challenge expired before its answer came. Send another one.")
      end

      digest = digest(registration)
      valid = @secrets.map do |secret|
        nonce = nonce(secret, [@topic, carrier, account, token], digest, expires)
        RbNaCl::Util.verify32(mac(nonce, PROOF_DOMAIN, [digest, token, account]), proof)
      end
      return registration if valid.any?

      raise Error.new("invalid-proof", "The proof isn't that of the challenge. Send another challenge.")
    end

    # Returns the class alone, because the secrets must not be printed.
    def inspect
      "#<#{self.class}>"
    end
    alias to_s inspect

    # @api private
    def pretty_print(printer)
      printer.text(inspect)
    end

    private

    # Returns the registration, the expiry and the proof of an answer.
    def read(text)
      node = StrictJSON.parse(text)
      registration = node["registration"]&.text
      expires = node["expires"]&.integer(0..MAXIMUM_INTEGER)
      proof = node["proof"]&.text
      unless registration && expires && proof && JWK.thumbprint?(proof)
        raise Error.new("malformed-registration", "The answer isn't valid. Send a device's answer unchanged.")
      end

      [registration, expires, JWK.decode_key(proof)]
    rescue StrictJSON::SyntaxError => error
      raise Error.new("malformed-registration", error.message)
    end

    def nonce(secret, request, digest, expires)
      mac(secret, CHALLENGE_DOMAIN, [*request, digest, [expires].pack("Q>")])
    end

    def digest(registration)
      RbNaCl::Hash.blake2b(registration.b, digest_size: 32)
    end

    # Returns BLAKE2b under a key of a name and byte strings, each after its length.
    def mac(key, domain, parts)
      joined = parts.map { |part| [part.bytesize].pack("N") + part.b }.join
      RbNaCl::Hash.blake2b(domain + joined, key: key, digest_size: 32)
    end
  end
end
