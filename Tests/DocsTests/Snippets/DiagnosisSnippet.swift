// Docs/Diagnosis.md: compiled here, run by DiagnosisPageTests, and the same there.
import PushCryptApple
import UserNotifications

enum DiagnosisSnippet {
    static func run(_ folder: String, _ delivered: [UNNotification], print: (String) -> Void) throws {
        // begin
        let log = DeliveryLog(inSharedFolder: folder)
        try log.note(delivered)
        let summary = DeliverySummary(try log.entries())
        for diagnosis in summary.diagnoses {
            print("\(diagnosis.finding), \(diagnosis.count) times: \(diagnosis.advice)")
        }
        // end
    }
}
