# frozen_string_literal: true

require "json"
require_relative "../pushcrypt"

module PushCrypt
  # Runs the test vectors with the installed package. Only the command pushcrypt-check loads it.
  module Check
    FILE = File.expand_path("../../vectors.jsonl", __dir__)
    SHOWN_FAILURES = 20

    # The time, the message id and the ephemeral key of a vector. It replaces those of the whole process.
    module Fixed
      class << self
        attr_reader :now, :message_id, :secret

        def set(now, message_id, secret)
          @now, @message_id, @secret = now, message_id, secret
        end

        def install
          Process.define_singleton_method(:clock_gettime) { |*| Fixed.now }
          RbNaCl::Random.define_singleton_method(:random_bytes) { |count = 32| Fixed.message_id.byteslice(0, count) }
          Sealer.send(:remove_const, :SEALED_BOX)
          Sealer.const_set(:SEALED_BOX, BOX)
        end
      end

      BOX = lambda do |message, public_key|
        ephemeral = RbNaCl::PrivateKey.new(Fixed.secret)
        nonce = RbNaCl::Hash.blake2b(ephemeral.public_key.to_bytes + public_key, digest_size: 24)
        ephemeral.public_key.to_bytes + RbNaCl::Box.new(public_key, ephemeral).box(nonce, message)
      end
    end

    module_function

    def decode(text)
      text.tr("-_", "+/").unpack1("m")
    end

    def sealer(request)
      settings = %w[padding placeholder expose carrier].select { |name| request.key?(name) }.to_h { |name| [name.to_sym, request[name]] }
      return Sealer.anonymous(**settings) unless request["sender"]

      Sealer.signed(SigningKey.parse(JSON.generate(request["sender"])), **settings)
    end

    def seal(request)
      Fixed.set(request["now_ms"], decode(request["message_ids"][0]), decode(request["ephemeral_secrets"][0]))
      names = { "type" => :type, "lifetime_s" => :lifetime, "topic" => :topic, "collapse_id" => :collapse_id,
                "priority" => :priority }
      options = names.select { |name, _| request.key?(name) }.to_h { |name, keyword| [keyword, request[name]] }
      push = sealer(request).seal(request["payload"], request["to"], **options)
      { payload: push.payload, headers: push.headers }
    end

    def answered(push, request)
      result = push.request(request["token"], app_id: request["app_id"])
      { body: result.body, headers: result.headers }
    end

    def carrier_request(request)
      answered(Push.new(*request.values_at("payload", "apns_headers", "carrier", "issued_at_ms")), request)
    end

    def limit(request)
      carrier, type, frame = request.values_at("carrier", "type", "frame")
      Carriers.check_type(carrier, type)
      sealer = Sealer.anonymous(padding: "maximum")
      { longest: sealer.send(:message_length, 0, Carriers.room(carrier, type, frame)) }
    end

    def limits(registration)
      { generation: registration.generation, lifetime: registration.lifetime, signers: registration.recipient.signers }
    end

    def accept(request)
      known = request["row"] && Row.parse(request["row"])
      others = request["others"].map { |text| Row.parse(text) }
      row = Row.accept(request["text"], request["token"], account: request["account"], known: known, others: others,
                                  now: request["now_ms"], carrier: request.fetch("carrier", "apns"))
      { row: row.json }
    end

    # Returns the library's answer to the request of a vector. A block answers requests that aren't vectors.
    def answer(request)
      case request["do"]
      when "key"
        key = { "recipient-public" => Recipient, "signing" => SigningKey }.fetch(request["kind"]).parse(request["text"])
        { thumbprint: key.thumbprint, key_id: JWK.base64(key.key_id) }
      when "apns-id" then { apns_id: Sealer.apns_id(decode(request["message_id"])) }
      when "registration" then limits(Registration.parse(request["text"]))
      when "token" then { stored: Registration.device_token(request["text"]) }
      when "update", "row" then accept(request)
      when "request" then carrier_request(request)
      when "limit" then limit(request)
      when "choice"
        { kid: SigningKeyring.parse(request["keyring"]).key_for(request["signers"]).thumbprint }
      when "pad"
        { padded: [sealer(request).send(:message_length, request["lengths"][0], request["maximum"] - request["frame"])] }
      when "seal" then seal(request)
      else yield
      end
    rescue Error => error
      { fails: error.code, generation: error.generation, reason: request["reason"] && error.message }.compact
    end

    # Returns an answer whose JSON texts are values.
    def comparable(members, texts)
      JSON.parse(JSON.generate(members)).to_h { |name, value| [name, texts.include?(name) ? JSON.parse(value) : value] }
    end

    def passes?(line)
      texts = line["json"]
      comparable(answer(line["request"]) { raise KeyError, "unknown" }, texts) == comparable(line["answer"], texts)
    end

    # Returns the vectors of a whole file.
    def read(path)
      header, *lines = File.foreach(path).map { |line| JSON.parse(line) }
      is_whole = header && header["version"] == 1 && lines.any? && header["count"] == lines.size
      is_whole ? lines : abort("error: #{path} is incomplete. Write it again.")
    rescue SystemCallError, JSON::ParserError => error
      abort "error: The vectors can't be read: #{error.message}. Give their file."
    end

    # Returns the exit status.
    def run(arguments)
      if arguments == ["--version"]
        puts VERSION
        return 0
      elsif arguments.size > 1 || arguments.first&.start_with?("-")
        warn "usage: pushcrypt-check [--version | FILE]"
        return 64
      end

      lines = read(arguments.first || FILE)
      Fixed.install
      failed = lines.reject { |line| passes?(line) }
      failed.first(SHOWN_FAILURES).each { |line| puts "failed: #{line['name']}" }
      puts "pushcrypt #{VERSION}: #{lines.size - failed.size} vectors passed, #{failed.size} failed"
      failed.empty? ? 0 : 1
    end
  end
end
