# frozen_string_literal: true

module PushCrypt
  # A server's public Ed25519 key.
  class VerificationKey
    PRIME = 2**255 - 19
    GROUP_SIZE = 2**252 + 27742317777372353535851937790883648493
    D = 37095705934669439343138083508754565189542113879843219016388785533085940283555
    ROOT_OF_MINUS_1 = 2.pow((PRIME - 1) / 4, PRIME)
    NEUTRAL = [0, 1, 1, 0].freeze
    private_constant :PRIME, :GROUP_SIZE, :D, :ROOT_OF_MINUS_1, :NEUTRAL

    attr_reader :public_key, :thumbprint, :key_id

    class << self
      # Returns the key of a JWK, a JWK Set or 43 characters of base64url.
      def parse(key)
        if key.is_a?(String)
          text = JWK.strip(key)
          return new(JWK.decode_key(text)) unless text.start_with?("{")

          key = JWK.parse(text)
        end
        new(JWK.members(key["keys"] ? JWK.primary(key["keys"]) : key, ["Ed25519"])[0])
      end

      # Returns whether the key is canonical, on the curve, and a point of the main subgroup other than the neutral one.
      # Ruby's integers aren't constant-time: only for public keys.
      def valid?(key)
        y = key.bytes.reverse.reduce(0) { |sum, byte| sum << 8 | byte } & (2**255 - 1)
        x = y < PRIME && key.bytesize == 32 ? root(y) : 0
        return false if x.zero? # x = 0 belongs to the two points of order 1 and 2.

        # The sign bit of the key doesn't matter: a point and its negative are in the same subgroups.
        result = multiple([x, y, 1, x * y % PRIME])
        result[1] == result[2] # With y = 1, x is 0.
      end

      private

      # Returns one of the two x of a point of the curve, or 0 (RFC 8032 section 5.1.3).
      def root(y)
        square = (y * y - 1) * (D * y * y + 1).pow(PRIME - 2, PRIME) % PRIME
        x = square.pow((PRIME + 3) / 8, PRIME)
        [x, x * ROOT_OF_MINUS_1 % PRIME].find { |each| each * each % PRIME == square } || 0
      end

      # Multiplies a point by the size of the main subgroup.
      def multiple(point)
        (GROUP_SIZE.bit_length - 1).downto(0).reduce(NEUTRAL) do |result, bit|
          result = add(result, result)
          GROUP_SIZE[bit] == 1 ? add(result, point) : result
        end
      end

      # Adds two points in extended coordinates (RFC 8032 section 5.1.4).
      def add((x1, y1, z1, t1), (x2, y2, z2, t2))
        a = (y1 - x1) * (y2 - x2)
        b = (y1 + x1) * (y2 + x2)
        c = 2 * t1 * t2 * D
        d = 2 * z1 * z2
        [(b - a) * (d - c), (d + c) * (b + a), (d - c) * (d + c), (b - a) * (b + a)].map { |value| value % PRIME }
      end
    end

    # The key has 32 bytes.
    def initialize(public_key)
      unless self.class.valid?(public_key)
        raise Error.new("invalid-key", "The Ed25519 key isn't canonical or in the main subgroup. Use another key.")
      end

      @public_key = public_key
      @thumbprint, @key_id = JWK.thumbprint("Ed25519", public_key)
    end

    # Returns a Boolean value that indicates whether a signature is valid.
    def verifies?(signature, data)
      signature.bytesize == 64 && RbNaCl::VerifyKey.new(public_key).verify(signature, data)
    rescue RbNaCl::CryptoError
      false
    end
  end
end
