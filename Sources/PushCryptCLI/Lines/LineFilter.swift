internal import PushCryptSender

/// Answers each line with one line, in order.
struct LineFilter<Work: LineWork>: Sendable {
    let work: Work
    /// The maximum number of lines in a batch.
    let batchSize: Int
    /// The maximum number of batches at work.
    let concurrency: Int
    /// The maximum number of batches in memory: at work, and waiting for the answers before theirs.
    let maximumUnwritten: Int

    /// Answers all lines, or throws the first failure of the input or the output.
    ///
    /// A thread of ``LineBatches`` reads a batch. A task answers its lines with ``LineWork``.
    /// ``LineWriter`` writes the answers in the order of the lines. After an error of the input,
    /// all lines that were read get their answers.
    func run(_ reader: LineReader, _ writer: LineWriter) async throws(PushCryptError) {
        let count = await writer.progress.lines
        let batches = LineBatches(
            reader, after: count, size: batchSize, workers: concurrency,
            maximumUnwritten: maximumUnwritten)
        await withTaskGroup(of: Void.self) { group in
            var batchesAtWork = 0
            for await batch in batches {
                if batchesAtWork == concurrency {
                    await group.next()
                    batchesAtWork -= 1
                }
                group.addTask { await answer(batch, of: batches, writer) }
                batchesAtWork += 1
            }
            while batchesAtWork > 0 {
                await group.next()
                batchesAtWork -= 1
            }
        }
        if let failure = batches.failure { throw failure }
    }

    /// Answers all lines and ends the output.
    ///
    /// - Returns: The number of lines that were rejected, or the error that has ended the work.
    func answerAll(_ reader: LineReader, _ writer: LineWriter) async -> Result<Int, PushCryptError>
    {
        do throws(PushCryptError) {
            try await run(reader, writer)
            return .success(try await writer.finish())
        } catch {
            await writer.stop()
            return .failure(error)
        }
    }

    /// Answers the lines of a batch, and writes all answers whose turn it is.
    private func answer(_ batch: LineBatch, of batches: LineBatches, _ writer: LineWriter) async {
        var work = work
        var results: [LineResult] = []
        results.reserveCapacity(batch.lines.count)
        for (index, line) in batch.lines.enumerated() {
            results.append(await work.answer(line, number: batch.firstNumber + index))
        }
        batches.endWork()
        do throws(PushCryptError) {
            let count = try await writer.write(results, of: batch)
            batches.addRoom(for: count)
        } catch {
            batches.stop(error)
        }
    }
}
