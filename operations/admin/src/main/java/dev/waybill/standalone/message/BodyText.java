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
 * The first bytes of a body as text, or as bytes unless it is valid UTF-8 text. Control characters from the body are escaped,
 * because they could move the cursor or reorder text.
 */
public final class BodyText {
    private static final int BYTES_A_LINE = 16;
    private static final Pattern TEXTS = Pattern.compile(
            "text/.*|application/(.*\\+)?(json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql)");

    private final byte[] shown;
    private final int bytes;
    private final @Nullable String text;

    /** Decodes the first {@code limit} bytes of a body; a null content type allows any text. */
    public BodyText(byte[] body, @Nullable String contentType, int limit) {
        bytes = body.length;
        shown = java.util.Arrays.copyOf(body, Math.min(limit, body.length));
        text = isText(contentType) ? decoded(shown, shown.length < bytes) : null;
    }

    public int bytes() {
        return bytes;
    }

    public boolean isText() {
        return text != null;
    }

    public boolean isCut() {
        return shown.length < bytes;
    }

    /** The raw text for programs; empty for binary bodies. */
    public Optional<String> text() {
        return Optional.ofNullable(text);
    }

    /** The shown bytes for programs. */
    public String hex() {
        return HexFormat.of().formatHex(shown);
    }

    /** The lines for people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("body: " + size());
        lines.addAll(text == null ? dump() : textLines());
        return lines;
    }

    /** The size, and how much of it is shown. */
    public String size() {
        return bytes + " bytes" + (isText() ? " of text" : "")
                + (isCut() ? ", the first " + shown.length + " of them" : "");
    }

    /** The escaped text by line; empty for binary bodies. */
    public List<String> textLines() {
        return text == null ? List.of() : text.lines().map(BodyText::escaped).toList();
    }

    /** A hex dump with sixteen bytes a line. */
    public List<String> dump() {
        List<String> lines = new ArrayList<>();
        for (int at = 0; at < shown.length; at += BYTES_A_LINE) {
            lines.add(dump(at));
        }
        return lines;
    }

    /** Indented JSON with escapes; empty if the text is no JSON or is cut. */
    public List<String> jsonLines() {
        return text == null || isCut()
                ? List.of()
                : PrettyJson.of(unmarked(text))
                        .map(json -> json.lines().map(BodyText::escaped).toList())
                        .orElse(List.of());
    }

    /** Indented XML with escapes; empty if the text is no safe XML or is cut. */
    public List<String> xmlLines() {
        return text == null || isCut()
                ? List.of()
                : PrettyXml.of(unmarked(text))
                        .map(xml -> xml.lines().map(BodyText::escaped).toList())
                        .orElse(List.of());
    }

    // Windows programs write a byte order mark before documents.
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

    // A cut may split a character; the remainder is dropped. NUL marks binary data.
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

    /** Escapes characters that a terminal would interpret. */
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

    /** Whether a terminal interprets the character or does not show it. */
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
