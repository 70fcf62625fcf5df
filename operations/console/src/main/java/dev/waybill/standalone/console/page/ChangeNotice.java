package dev.waybill.standalone.console.page;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a change, shown on the next page. The address contains a word for it, never its text. */
final class ChangeNotice {
    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("paused", "The destination is paused."),
            Map.entry("resumed", "The destination goes on."),
            Map.entry("already-paused", "Nothing was changed: somebody has paused it meanwhile, as you see below."),
            Map.entry(
                    "changed",
                    "Nothing was changed: the pause that you saw is gone or was replaced, as you see below."),
            Map.entry("hold-released", "The hold is released, with attempts counted anew."),
            Map.entry("hold-retried", "The hold will be tried now; attempts go on counting."),
            Map.entry("message-skipped", "The message is taken out for good; the audit keeps it."),
            Map.entry("hold-changed", "Nothing was changed: the hold is not any more as you saw it."),
            Map.entry("letter-discarded", "The dead letter is discarded."),
            Map.entry("letter-reopened", "The dead letter is open again."),
            Map.entry("letter-redriven", "A copy is in the outbox, and goes out with the next messages."),
            Map.entry("letter-edited", "The dead letter is edited; what it said when it came is kept."),
            Map.entry("message-edited", "The message is edited; the audit keeps what it said."),
            Map.entry("letter-changed", "Nothing was changed: somebody else was here meanwhile, as you see below."),
            Map.entry("redrive-begun", "The re-drive is begun."),
            Map.entry("redrive-twice", "Nothing was begun: you have begun a re-drive since you saw that page."),
            Map.entry("redrive-paused", "The re-drive waits."),
            Map.entry("redrive-resumed", "The re-drive goes on."),
            Map.entry("redrive-abandoned", "The re-drive is ended; what it has not taken stays a dead letter."),
            Map.entry("redrive-changed", "Nothing was changed: the re-drive is not any more as you saw it."),
            Map.entry("message-cancelled", "The message is taken back, and will not be sent."),
            Map.entry("scheduled-changed", "Nothing was changed: that message does not wait any more as you saw it."),
            Map.entry("replay-begun", "The replay has begun. While its state is running, let it go on below."),
            Map.entry("replay-goes-on", "The replay went on."),
            Map.entry("replay-abandoned", "The replay is ended; what it has appended stays."),
            Map.entry("replay-over", "Nothing was changed: that replay is over."),
            Map.entry(
                    "replay-changed",
                    "Nothing was begun: the same replay was begun before, or there is more to replay now than you saw."),
            Map.entry("session-ended", "The session is ended."),
            Map.entry("session-gone", "Nothing was changed: that session is over."));

    private ChangeNotice() {}

    static String text(@Nullable String word) {
        return word == null ? "" : TEXTS.getOrDefault(word, "");
    }
}
