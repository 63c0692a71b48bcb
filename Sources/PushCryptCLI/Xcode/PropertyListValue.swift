internal import Foundation

/// Any value of a property list.
enum PropertyListValue: Decodable {
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case date(Date)
    case data(Data)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let real = try? value.decode(Double.self) {
            self = .real(real)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let date = try? value.decode(Date.self) {
            self = .date(date)
        } else if let data = try? value.decode(Data.self) {
            self = .data(data)
        } else if let array = try? value.decode([PropertyListValue].self) {
            self = .array(array)
        } else {
            self = .dictionary(try value.decode([String: PropertyListValue].self))
        }
    }

    /// The value as Foundation's property lists have it.
    var foundationValue: Any {
        switch self {
        case .boolean(let boolean): boolean
        case .integer(let integer): integer
        case .real(let real): real
        case .string(let string): string
        case .date(let date): date
        case .data(let data): data
        case .array(let array): array.map(\.foundationValue)
        case .dictionary(let members): members.mapValues(\.foundationValue)
        }
    }
}
