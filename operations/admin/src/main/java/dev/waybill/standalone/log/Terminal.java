package dev.waybill.standalone.log;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/** Whether a person sits there. */
// From JDK 22 on there is always a console, which says itself whether it is a terminal.
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

    /** The person's answer; empty if nobody is there. */
    public static String ask(String question) {
        @Nullable Console console = System.console();
        @Nullable String answer = console == null ? null : console.readLine("%s", question);
        return answer == null ? "" : answer;
    }

    /** The same of a secret, which is not shown while it is typed; null if nobody is there. */
    public static char @Nullable [] askSecret(String question) {
        @Nullable Console console = System.console();
        return console == null || !isThere() ? null : console.readPassword("%s", question);
    }
}
