package dev.waybill.standalone.console.page;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a change, shown on the next page. The address contains a word for it, never its text. */
final class ChangeNotice {
    private static final Map<String, String> TEXTS = Map.ofEntries(
            Map.entry("paused", "The destination is paused."),
            Map.entry("resumed", "The destination is resumed."),
            Map.entry("already-paused", "Nothing was changed: the destination was paused meanwhile, as shown below."),
            Map.entry("changed", "Nothing was changed: the pause has ended or was replaced, as shown below."),
            Map.entry("hold-released", "The hold is released; attempts start at zero."),
            Map.entry("hold-retried", "The hold is retried now; attempts keep counting."),
            Map.entry("message-skipped", "The message is removed; the audit keeps it."),
            Map.entry("hold-changed", "Nothing was changed: the hold has changed since you saw it."),
            Map.entry("letter-discarded", "The dead letter is discarded."),
            Map.entry("letter-reopened", "The dead letter is open again."),
            Map.entry("letter-redriven", "A copy is in the outbox and will be published next."),
            Map.entry("letter-edited", "The dead letter is edited; the original is kept."),
            Map.entry("message-edited", "The message is edited; the audit keeps the original."),
            Map.entry("letter-changed", "Nothing was changed: the dead letter was changed meanwhile, as shown below."),
            Map.entry("redrive-begun", "The re-drive is started."),
            Map.entry("redrive-twice", "Nothing was started: you have started a re-drive since you saw that page."),
            Map.entry("redrive-paused", "The re-drive is paused."),
            Map.entry("redrive-resumed", "The re-drive is resumed."),
            Map.entry("redrive-abandoned", "The re-drive is abandoned; remaining messages stay dead letters."),
            Map.entry("redrive-changed", "Nothing was changed: the re-drive has changed since you saw it."),
            Map.entry("message-cancelled", "The message is cancelled and will not be sent."),
            Map.entry("scheduled-changed", "Nothing was changed: the message is no longer scheduled as you saw it."),
            Map.entry("replay-begun", "The replay is started. While its state is running, resume it below."),
            Map.entry("replay-goes-on", "The replay continued."),
            Map.entry("replay-abandoned", "The replay is abandoned; appended copies stay."),
            Map.entry("replay-over", "Nothing was changed: the replay has ended."),
            Map.entry(
                    "replay-changed",
                    "Nothing was started: the same replay exists, or more messages match than you saw."),
            Map.entry("session-ended", "The session is ended."),
            Map.entry("session-gone", "Nothing was changed: the session has ended."));

    private ChangeNotice() {}

    static String text(@Nullable String word) {
        return word == null ? "" : TEXTS.getOrDefault(word, "");
    }
}
