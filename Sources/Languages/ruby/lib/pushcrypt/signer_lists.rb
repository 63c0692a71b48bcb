# frozen_string_literal: true

module PushCrypt
  # A list of the keys from which devices accept signatures. Its signature is valid. Times are seconds.
  class SignerList
    MAXIMUM_LENGTH = 65_536
    TYPE = "pushcrypt-signers"

    attr_reader :text, :root, :keys, :number, :issued, :expiration, :audience

    class << self
      # Returns the list of one of the roots, VerificationKeys. It checks neither the audience nor the expiration.
      def verify(text, roots)
        text = text.b
        raise malformed("It is too long.") if text.bytesize > MAXIMUM_LENGTH

        parts = text.split(".", -1)
        raise malformed("It doesn't have three parts.") unless parts.size == 3

        header, content, signature = parts.map do |part|
          JWK.decode(part) || raise(malformed("A part isn't base64url without padding."))
        end
        root = root(parse(header), roots)
        unless root.verifies?(signature, text.rpartition(".")[0])
          raise Error.new("invalid-signature", "The list's signature isn't valid. Sign the list again.")
        end

        new(text.force_encoding(Encoding::UTF_8), root, parse(content))
      end

      # Returns the error of an invalid list.
      def malformed(reason)
        Error.new("malformed-signer-list", "The list isn't valid. #{reason} Issue a new list.")
      end

      private

      def parse(part)
        StrictJSON.parse(part)
      rescue StrictJSON::SyntaxError
        raise malformed("A part isn't strict JSON.")
      end

      # Returns the pinned root that a header names.
      def root(header, roots)
        algorithm, type, kid = %w[alg typ kid].map { |name| header[name]&.text }
        unless header.value.size == 3 && [algorithm, type] == ["Ed25519", TYPE] && kid && JWK.thumbprint?(kid)
          raise malformed('The header isn\'t "alg" Ed25519, "kid" and "typ".')
        end

        roots.find { |root| root.thumbprint == kid } ||
          raise(Error.new("unknown-root", "The list's root isn't pinned. Sign the list with a pinned root."))
      end
    end

    private_class_method :new

    def initialize(text, root, content)
      @text = text
      @root = root
      @keys = read_keys(content["keys"]&.value)
      @number, @issued, @expiration = [["number", 1], ["iat", 0], ["exp", 0]].map do |name, low|
        content[name]&.integer(low..MAXIMUM_INTEGER) || raise(malformed("\"#{name}\" is missing or isn't an integer."))
      end
      raise malformed("It expires before it is issued.") unless issued < expiration

      @audience = content["aud"]&.text
      raise malformed('"aud" isn\'t a string.') if content["aud"] && audience.nil?
    end

    private

    def read_keys(elements)
      unless elements.is_a?(Array) && elements.size.between?(1, Registration::MAXIMUM_SIGNERS)
        raise malformed('"keys" isn\'t an array of 1 to 64 keys.')
      end

      keys = elements.map { |element| read_key(element) }
      raise malformed("A key is there twice.") if keys.uniq(&:thumbprint).size < keys.size

      keys
    end

    def read_key(element)
      public_key, secret = JWK.members(element, ["Ed25519"])
      raise malformed("A key is private.") if secret

      VerificationKey.new(public_key)
    rescue Error
      raise malformed("A key isn't a valid public key.")
    end

    def malformed(reason)
      self.class.malformed(reason)
    end
  end

  # The roots that an app pins for an account, VerificationKeys in order, and the audience of their lists or nil.
  class SignerRoots
    attr_reader :roots, :audience

    def initialize(roots, audience = nil)
      @roots = roots
      @audience = audience
    end

    # Returns the texts to store after a list has come, which are the stored ones if nothing changes.
    #
    # `now` is the date of the server's answer, in milliseconds.
    def stored_with(text, stored = [], now: nil)
      list = SignerList.verify(text, roots)
      now ||= Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)
      check(fits?(list), "wrong-audience", "The list is for another audience.")
      lists = stored.reduce({}) { |known, each| known.merge(intact(each)) }
      old = lists[list.root.thumbprint]
      return stored if old && old.text == list.text

      check(old.nil? || list.number >= old.number, "stale-signer-list", "The device has a newer list.")
      check(old.nil? || list.number > old.number, "conflicting-signer-list", "Two lists have one number.")
      check(now < list.expiration * 1000, "expired-signer-list", "The list expired before it came.")
      lists.merge(list.root.thumbprint => list).values.map(&:text)
    end

    # Returns the keys that count with the stored lists.
    def accepted_keys(stored = [])
      lists = own(stored)
      root = roots.find { |each| lists.key?(each.thumbprint) }
      root ? lists[root.thumbprint].keys : roots
    end

    private

    # Returns a stored list by its root. A damaged list is replaced.
    def intact(text)
      own([text])
    rescue Error
      {}
    end

    # Returns the lists of pinned roots for the pinned audience, by root.
    def own(stored)
      stored.each_with_object({}) do |text, lists|
        list = SignerList.verify(text, roots)
        lists[list.root.thumbprint] = list if fits?(list)
      rescue Error => error
        raise unless error.code == "unknown-root"
      end
    end

    # Encodings would make equal bytes different.
    def fits?(list)
      list.audience&.b == audience&.b
    end

    def check(condition, code, reason)
      raise Error.new(code, "#{reason} Issue a new list.") unless condition
    end
  end
end
