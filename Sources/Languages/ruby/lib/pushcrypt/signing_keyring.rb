# frozen_string_literal: true

module PushCrypt
  # A server's signing keys in the order of preference: the primary key, and then retired keys, the newest first.
  class SigningKeyring
    # Returns the keys of a keyring file, which only its owner can read.
    def self.read(path)
      if File.symlink?(path) # NOFOLLOW rejects a link that appears later.
        raise Error.new("insecure-file", "The keyring is a link. Use the file itself, or parse.")
      end

      File.open(path, File::RDONLY | File::NOFOLLOW | File::NONBLOCK) do |file|
        unless file.stat.file? && (file.stat.mode & 0o077).zero?
          raise Error.new("insecure-file", "The keyring isn't a file, or others can access it. Set its mode to 0600.")
        end

        parse(file.read)
      end
    end

    # Returns the keys of a keyring's text, for example from a secret manager.
    def self.parse(text)
      keyring = JWK.parse(text)
      if keyring["protection"]
        raise Error.new("passphrase-required", "The keyring has a passphrase. Remove the passphrase first.")
      end

      JWK.number(keyring, "generation", 1..MAXIMUM_INTEGER)
      keys = JWK.keys(keyring["keys"]).map { |node| [parse_member(node), node["state"].value, node["retired"]] }
      if keys.uniq { |key, *| key.thumbprint }.size < keys.size
        raise Error.new("duplicate-key", "The keyring contains a key twice. Restore the file.")
      end

      primary = keys.select { |_, state, _| state == "primary" }
      unless primary.size == 1
        raise Error.new(primary.empty? ? "no-primary-key" : "multiple-primary-keys",
                        "The keyring has #{primary.size} primary keys. Restore the file.")
      end
      retired = keys.select { |_, state, _| state == "retired" }
      newest_first = retired.each_with_index.sort_by { |(_, _, date), at| [-date.integer(0..MAXIMUM_INTEGER), at] }
      new([primary[0][0], *newest_first.map { |(key, *), _| key }])
    end

    def self.parse_member(node)
      key = SigningKey.parse(node)
      unless JWK.string(node, "kid") == key.thumbprint
        raise Error.new("thumbprint-mismatch", 'A "kid" isn\'t the thumbprint of its key. Restore the file.')
      end

      state = JWK.string(node, "state")
      unless %w[primary pending retired].include?(state)
        raise Error.new("unknown-key-state", "The state of a key is unknown. Restore the file.")
      end

      JWK.number(node, "created")
      JWK.number(node, "retired") if state == "retired"
      JWK.number(node, "lifetime", 1..MAXIMUM_LIFETIME) if node["lifetime"]
      key
    end
    private_class_method :parse_member

    def initialize(keys)
      @keys = keys
    end

    # Returns the first key that a device accepts. The signers are thumbprints; with nil, it is the primary key.
    def key_for(signers)
      @keys.find { |key| signers.nil? || signers.include?(key.thumbprint) } ||
        raise(Error.new("no-accepted-key", "The device accepts no key of the keyring. Send the bare placeholder."))
    end

    # Returns a description without the secrets.
    def inspect
      "#<#{self.class} #{@keys.map(&:thumbprint).join(' ')}>"
    end
  end
end
