package dev.waybill.standalone.console.page;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a change came to, said on the page that follows. An address names it by a word, so nobody can put words there. */
final class Done {
    private static final Map<String, String> TEXTS = Map.of(
            "paused", "The destination is paused.",
            "resumed", "The destination goes on.",
            "already-paused", "Nothing was changed: somebody has paused it meanwhile, as you see below.",
            "changed", "Nothing was changed: the pause that you saw is gone or was replaced, as you see below.",
            "session-ended", "The session is ended.",
            "session-gone", "Nothing was changed: that session is over.");

    private Done() {}

    static String text(@Nullable String word) {
        return word == null ? "" : TEXTS.getOrDefault(word, "");
    }
}
