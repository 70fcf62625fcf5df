package dev.waybill.deadletter;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The reason why a dead letter cannot be sent as it came. */
public enum Emptied {
    /** Its content, or a part of it, was taken out. */
    REDACTED,
    /** It was imported from an export of an archived one, which has no body. */
    WITHOUT_BODY;

    static @Nullable String column(@Nullable Emptied emptied) {
        return emptied == null ? null : emptied.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static @Nullable Emptied ofColumn(@Nullable String text) {
        return text == null ? null : valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
