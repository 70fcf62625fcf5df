package dev.waybill.standalone.topology;

import java.util.regex.Pattern;

/** Words of printed commands, which people paste into a shell. */
public final class ShellText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,%+-]+");

    private ShellText() {}

    /** One word, in quotes if the shell would read it otherwise. */
    public static String word(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
