package dev.waybill.deadletter;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the exception that a reason or a stack trace names. */
final class ExceptionType {
    private static final Pattern NAME =
            Pattern.compile("(?:[A-Za-z_$][\\w$]*\\.)*[A-Za-z_$][\\w$]*(?:Exception|Error)\\b");
    private static final int ENOUGH = 2_000;

    private ExceptionType() {}

    static @Nullable String of(String reason, String description) {
        @Nullable String named = find(reason);
        return named != null ? named : find(description);
    }

    private static @Nullable String find(String text) {
        Matcher matcher = NAME.matcher(text.substring(0, Math.min(text.length(), ENOUGH)));
        return matcher.find() ? matcher.group() : null;
    }
}
