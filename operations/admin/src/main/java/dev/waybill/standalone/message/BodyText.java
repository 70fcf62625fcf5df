package dev.waybill.standalone.message;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a body, for a person's eyes: as text if it is text by its content type and valid UTF-8, else as bytes. A
 * body comes from anybody: characters that would move the cursor, change the terminal or turn the reading order are written
 * as escapes.
 */
public final class BodyText {
    private static final int BYTES_A_LINE = 16;
    private static final Pattern TEXTS = Pattern.compile(
            "text/.*|application/(.*\\+)?(json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql)");

    private final byte[] shown;
    private final int bytes;
    private final @Nullable String text;

    /**
     * The beginning of a body.
     *
     * @param contentType as the message says it; null if it says none, which any text may be
     * @param limit how many bytes are shown
     */
    public BodyText(byte[] body, @Nullable String contentType, int limit) {
        bytes = body.length;
        shown = java.util.Arrays.copyOf(body, Math.min(limit, body.length));
        text = isText(contentType) ? decoded(shown, shown.length < bytes) : null;
    }

    /** How long all of it is. */
    public int bytes() {
        return bytes;
    }

    /** Whether it can be shown as text. */
    public boolean isText() {
        return text != null;
    }

    /** Whether there is more of it than is shown. */
    public boolean isCut() {
        return shown.length < bytes;
    }

    /** The text as it is, for programs; empty if it is none. */
    public Optional<String> text() {
        return Optional.ofNullable(text);
    }

    /** All bytes that are shown, for programs. */
    public String hex() {
        return HexFormat.of().formatHex(shown);
    }

    /** The lines that are printed for people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("body: " + size());
        lines.addAll(text == null ? dump() : textLines());
        return lines;
    }

    /** How long it is, and how much of it is shown. */
    public String size() {
        return bytes + " bytes" + (isText() ? " of text" : "")
                + (isCut() ? ", the first " + shown.length + " of them" : "");
    }

    /** The text, line by line, with escapes; empty if it is none. */
    public List<String> textLines() {
        return text == null ? List.of() : text.lines().map(BodyText::escaped).toList();
    }

    /** The bytes, sixteen a line, with their letters beside them. */
    public List<String> dump() {
        List<String> lines = new ArrayList<>();
        for (int at = 0; at < shown.length; at += BYTES_A_LINE) {
            lines.add(dump(at));
        }
        return lines;
    }

    /** The text as JSON with a member a line, and with escapes; empty if it is no JSON, or not all of it is shown. */
    public List<String> jsonLines() {
        return text == null || isCut()
                ? List.of()
                : PrettyJson.of(unmarked(text))
                        .map(json -> json.lines().map(BodyText::escaped).toList())
                        .orElse(List.of());
    }

    /** The text as XML with an element a line, and with escapes; empty if it is none that can be shown, or is cut. */
    public List<String> xmlLines() {
        return text == null || isCut()
                ? List.of()
                : PrettyXml.of(unmarked(text))
                        .map(xml -> xml.lines().map(BodyText::escaped).toList())
                        .orElse(List.of());
    }

    // Programs for Windows write the mark of UTF-8 before documents, of which it is no part.
    private static String unmarked(String text) {
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private String dump(int at) {
        var hex = new StringBuilder();
        var signs = new StringBuilder();
        for (int i = at; i < Math.min(at + BYTES_A_LINE, shown.length); i++) {
            hex.append(String.format(Locale.ROOT, "%02x ", shown[i]));
            signs.append(shown[i] >= ' ' && shown[i] < 0x7f ? (char) shown[i] : '.');
        }
        return String.format(Locale.ROOT, "%08x  %-48s %s", at, hex, signs);
    }

    private static boolean isText(@Nullable String contentType) {
        if (contentType == null || contentType.isBlank()) {
            return true;
        }
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return TEXTS.matcher(type).matches();
    }

    // A cut may go through a character: what is left of it is dropped. NUL is in no text that people write.
    private static @Nullable String decoded(byte[] bytes, boolean cut) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), out, !cut);
        String text = out.flip().toString();
        return result.isError() || text.indexOf('\0') >= 0 ? null : text;
    }

    /** A line with escapes in place of characters that a reader would obey. */
    public static String escaped(String line) {
        var safe = new StringBuilder();
        line.codePoints().forEach(c -> {
            if (c == '\t' || !isDangerous(c)) {
                safe.appendCodePoint(c);
            } else {
                safe.append(String.format(Locale.ROOT, c < 0x100 ? "\\x%02x" : "\\u{%x}", c));
            }
        });
        return safe.toString();
    }

    /** Whether a reader would obey the character, or could not see it. */
    public static boolean isDangerous(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }
}
