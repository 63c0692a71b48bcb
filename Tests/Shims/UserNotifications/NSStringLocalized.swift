public import Foundation

extension NSString {
    /// Stands in for Apple's method of the same name, which reads the string table at the time of
    /// display.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?)
        -> String
    {
        var arguments = (arguments ?? [])[...]
        return Bundle.main.localizedString(forKey: key, value: nil, table: nil).components(
            separatedBy: "%@"
        )
        .reduce(nil as String?) { text, part in
            guard let text else { return part }
            return text + (arguments.popFirst().map { "\($0)" } ?? "%@") + part
        } ?? key
    }
}
