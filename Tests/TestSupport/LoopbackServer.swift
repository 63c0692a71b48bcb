public import Foundation

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// An HTTP server on 127.0.0.1 that answers each request with bytes that a closure writes.
public final class LoopbackServer: @unchecked Sendable {
    /// A connection with one request.
    public struct Connection: Sendable {
        fileprivate let number: Int32
        /// The request line and the headers.
        public let head: String

        #if canImport(Darwin)
        private static let flags: Int32 = 0
        #else
        private static let flags = Int32(MSG_NOSIGNAL)
        #endif

        /// Writes bytes, and returns whether the client still reads.
        @discardableResult
        public func write(_ bytes: [UInt8]) -> Bool {
            var done = 0
            while done < bytes.count {
                let count = unsafe bytes.withUnsafeBytes { bytes in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
                    return unsafe send(number, rest.baseAddress, rest.count, Self.flags)
                }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }

        /// Writes a text as UTF-8.
        @discardableResult
        public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        /// Answers with a status, headers and a body.
        public func answer(_ body: [UInt8], status: String = "200 OK", headers: [String] = []) {
            let lines =
                ["HTTP/1.1 \(status)", "Content-Length: \(body.count)", "Connection: close"]
                + headers
            write(lines.joined(separator: "\r\n") + "\r\n\r\n")
            write(body)
        }
    }

    /// The address of a file.
    public func url(_ path: String) -> URL {
        var address = URLComponents()
        (address.scheme, address.host, address.port, address.path) = (
            "http", "127.0.0.1", Int(port), "/\(path)"
        )
        return address.url ?? URL(fileURLWithPath: "/")
    }

    private let listener: Int32
    /// The port, which the system chooses.
    public private(set) var port: UInt16 = 0

    /// Begins to listen, with a closure that answers each request on a thread of its own.
    public init(_ answer: @escaping @Sendable (Connection) -> Void) {
        #if canImport(Glibc)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                precondition(unsafe bind(listener, $0, length) == 0)
                precondition(listen(listener, 16) == 0)
                precondition(unsafe getsockname(listener, $0, &length) == 0)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread {
            while true {
                let number = accept(listener, nil, nil)
                guard number >= 0 else {
                    // Only this thread closes the socket: another one's would get its number, and
                    // its requests come here.
                    close(listener)
                    return
                }
                #if canImport(Darwin)
                var isOn: Int32 = 1
                unsafe setsockopt(
                    number, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
                #endif
                Thread {
                    var head: [UInt8] = []
                    var byte: UInt8 = 0
                    var isWhole: Bool { head.suffix(4).elementsEqual([13, 10, 13, 10]) }
                    while !isWhole, unsafe recv(number, &byte, 1, 0) == 1 { head.append(byte) }
                    // A client that gives up closes the connection before its request, or in the
                    // middle.
                    if isWhole {
                        answer(
                            Connection(number: number, head: String(decoding: head, as: UTF8.self)))
                    }
                    _ = shutdown(number, Int32(SHUT_RDWR))
                    close(number)
                }.start()
            }
        }.start()
    }

    deinit { _ = shutdown(listener, Int32(SHUT_RDWR)) }
}
