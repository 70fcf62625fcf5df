package dev.waybill.standalone.log;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/** The terminal of a person. */
// JDK 22 and later always return a console, which knows whether it is a terminal.
@SuppressWarnings("SystemConsoleNull")
public final class Terminal {
    private Terminal() {}

    /** Whether input and output are a terminal. */
    public static boolean isThere() {
        @Nullable Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    /** Reads a line; empty without a terminal. */
    public static String ask(String question) {
        @Nullable Console console = System.console();
        @Nullable String answer = console == null ? null : console.readLine("%s", question);
        return answer == null ? "" : answer;
    }

    /** Reads a secret without echo; null without a terminal. */
    public static char @Nullable [] askSecret(String question) {
        @Nullable Console console = System.console();
        return console == null || !isThere() ? null : console.readPassword("%s", question);
    }
}
