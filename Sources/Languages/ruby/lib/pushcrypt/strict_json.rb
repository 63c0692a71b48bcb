# frozen_string_literal: true

require "json"
require "strscan"

module PushCrypt
  # Strict JSON: RFC 8259 with one object at the top, without duplicate names, at most 64 levels deep.
  class StrictJSON
    MAXIMUM_DEPTH = 64

    SPACE = /[ \t\n\r]*/n
    NUMBER = /-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?/n
    # A surrogate is valid only as half of a pair.
    STRING = %r{"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u(?:[0-9a-cA-CefEF]\h{3}|[dD][0-7]\h{2}
      |[dD][89abAB]\h{2}\\u[dD][c-fC-F]\h{2}))*+"}nx
    STRING_OR_SPACE = /"(?:[^"\\]++|\\.)*+"|[ \t\n\r]++/nm
    private_constant :SPACE, :NUMBER, :STRING, :STRING_OR_SPACE

    # A violation of strict JSON. The message names the byte offset, never the content.
    class SyntaxError < StandardError; end

    # The digits of a number, as they arrived.
    Number = Struct.new(:digits)

    # A value: a Hash or Array of nodes, a String, a Number, true, false or nil.
    class Node
      # The bytes of the value, as they arrived.
      attr_reader :source
      attr_reader :value

      def initialize(value, source)
        @value = value
        @source = source
      end

      # Returns the member of an object, or nil.
      def [](name)
        value[name] if value.is_a?(Hash)
      end

      # Returns the text, or nil if the value isn't a string.
      def text
        value if value.is_a?(String)
      end

      # Returns the integer, or nil if the value isn't digits alone, or outside of the limits.
      def integer(limits)
        return unless value.is_a?(Number) && value.digits.match?(/\A[0-9]{1,20}\z/)

        number = value.digits.to_i
        number if limits.cover?(number)
      end

      # Returns the bytes without white space between tokens.
      def compact
        source.gsub(STRING_OR_SPACE) { |token| token.start_with?('"') ? token : "" }
      end
    end

    # Returns the node of the object that the bytes contain.
    def self.parse(data)
      new(data.b).parse
    end

    def initialize(data)
      @data = data
      @scanner = StringScanner.new(data)
    end

    def parse
      unless @data.dup.force_encoding(Encoding::UTF_8).valid_encoding?
        raise SyntaxError, "The JSON isn't UTF-8. Encode it as UTF-8."
      end

      failure("has no object", "Use one object without a byte order mark") unless next_byte == "{"
      node = value(MAXIMUM_DEPTH)
      failure("has more than one object", "Remove the rest") unless next_byte.empty?
      node
    end

    private

    def failure(problem, action)
      raise SyntaxError, "The JSON #{problem} at byte #{@scanner.pos}. #{action}."
    end

    # Skips white space. Returns the next byte, or an empty string at the end.
    def next_byte
      @scanner.skip(SPACE)
      @scanner.peek(1)
    end

    def value(levels)
      start = @scanner.pos
      value = case next_byte
              when "{", "[" then container(levels)
              when '"' then string
              else scalar
              end
      Node.new(value, @data.byteslice(start...@scanner.pos))
    end

    def scalar
      return { "true" => true, "false" => false, "null" => nil }[@scanner.matched] if @scanner.skip(/true|false|null/n)

      Number.new(@scanner.scan(NUMBER) || failure("has no valid value", "Correct the value"))
    end

    def string
      token = @scanner.scan(STRING) || failure("has no valid string", "Correct the string")
      JSON.parse("[#{token.force_encoding(Encoding::UTF_8)}]")[0]
    end

    def container(levels)
      failure("has too many levels", "Use fewer levels") if levels.zero?
      is_object = @scanner.getch == "{"
      children = is_object ? {} : []
      closing = is_object ? "}" : "]"
      return children if skip(closing)

      loop do
        is_object ? member(children, levels - 1) : children << value(levels - 1)
        return children if skip(closing)

        skip(",") || failure("has no comma or end", "Correct the object or array")
        next_byte
      end
    end

    def member(members, levels)
      start = @scanner.pos
      name = string
      if members.key?(name)
        @scanner.pos = start
        failure("has a duplicate name", "Use each name once")
      end
      skip(":") || failure("has no colon", "Add a colon")
      next_byte
      members[name] = value(levels)
    end

    def skip(byte)
      @scanner.pos += 1 if next_byte == byte
    end
  end
end
