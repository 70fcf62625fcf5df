package dev.waybill.standalone.console.page.form;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.message.MessageContent;
import dev.waybill.message.WireContract;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.message.BodyText;
import dev.waybill.standalone.message.PropertyText;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message in a form. Browsers preserve plain text with uniform line ends only. Other or too long fields are locked here; the
 * command line can edit them.
 */
public final class MessageEdit {
    static final String BODY = "body";

    private static final String SUBJECT = "subject";
    private static final String CONTENT_TYPE = "content-type";
    private static final String CORRELATION_ID = "correlation-id";
    private static final String PROPERTY = "property:";
    private static final String NEW_NAME = "new-name";
    private static final String NEW_VALUE = "new-value";
    private static final int LONGEST_BODY = 12 << 10;
    private static final int LONGEST_VALUE = 500;
    private static final int MOST_PROPERTIES = 20;

    private final MessageContent old;
    private final ContentMask mask;
    private final Map<String, Field> fields = new LinkedHashMap<>();

    public MessageEdit(MessageContent old, ContentMask mask) {
        this.old = old;
        this.mask = mask;
        put(SUBJECT, old.subject());
        put(CONTENT_TYPE, old.contentType());
        put(CORRELATION_ID, old.correlationId());
        new TreeMap<>(properties(old)).forEach(this::putProperty);
        fields.put(BODY, new Field(BODY, body(), bodyLock()));
    }

    /** A field of the form; {@code lock} is the reason why it is locked. */
    record Field(String name, String value, String lock) {
        public boolean isOpen() {
            return lock.isEmpty();
        }
    }

    List<Field> texts() {
        return fields.values().stream()
                .filter(field -> !field.name.equals(BODY))
                .toList();
    }

    Field bodyField() {
        return Objects.requireNonNull(fields.get(BODY));
    }

    private static Map<String, Object> properties(MessageContent content) {
        try {
            return content.properties();
        } catch (IllegalArgumentException e) {
            throw new Refusal(409, "Its properties cannot be read, so it cannot be edited here.");
        }
    }

    private void put(String name, @Nullable String value) {
        String text = value == null ? "" : value;
        fields.put(name, field(name, text, textLock(text)));
    }

    private void putProperty(String name, Object value) {
        fields.put(PROPERTY + name, field(PROPERTY + name, String.valueOf(value), propertyLock(name, value)));
    }

    private String propertyLock(String name, Object value) {
        if (WireContract.isReserved(name)) {
            return "Waybill's own";
        }
        if (!(value instanceof String text)) {
            return "no text, but " + value.getClass().getSimpleName();
        }
        if (fields.size() > MOST_PROPERTIES) {
            return "one of many";
        }
        return textLock(name).isEmpty() ? textLock(text) : textLock(name);
    }

    private Field field(String name, String text, String lock) {
        if (mask.hides(name)) {
            return new Field(name, ContentMask.HIDDEN, "hidden by console.redact");
        }
        return new Field(name, lock.isEmpty() ? text : Formats.INSTANCE.beginning(text), lock);
    }

    private static String textLock(String text) {
        if (text.length() > LONGEST_VALUE) {
            return "too long for a form";
        }
        return text.codePoints().anyMatch(BodyText::isDangerous) ? "has signs that a form would not keep" : "";
    }

    private String body() {
        @Nullable String text = bodyLock().isEmpty() ? decoded(old.body()) : null;
        return text == null ? "" : text;
    }

    private String bodyLock() {
        if (old.properties().containsKey(WireContract.CLAIM)) {
            return "kept outside the message";
        }
        // A masked body must not be saved with its mask.
        if (!mask.body(old.body())
                .filter(shown -> Arrays.equals(shown, old.body()))
                .isPresent()) {
            return "hidden by console.redact, or parts of it";
        }
        if (old.body().length > LONGEST_BODY) {
            return Formats.INSTANCE.number(old.body().length) + " bytes; a form has room for "
                    + Formats.INSTANCE.number(LONGEST_BODY);
        }
        if (!isUtf8(old.contentType())) {
            return "its content type names another charset than UTF-8";
        }
        @Nullable String text = decoded(old.body());
        if (text == null) {
            return "no text in UTF-8";
        }
        String without = text.replace("\r\n", "");
        boolean mixed = without.indexOf('\r') >= 0 || (text.contains("\r\n") && without.indexOf('\n') >= 0);
        if (mixed) {
            return "has several kinds of line ends";
        }
        return text.chars().anyMatch(c -> c < ' ' && c != '\t' && c != '\n' && c != '\r')
                ? "has signs that a form would not keep"
                : "";
    }

    private static boolean isUtf8(@Nullable String contentType) {
        return dev.waybill.message.BodyText.isUtf8(contentType);
    }

    private static @Nullable String decoded(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** The typed values of editable fields. */
    public Map<String, String> typed(Context request) {
        var typed = new LinkedHashMap<String, String>();
        fields.values().stream()
                .filter(Field::isOpen)
                .forEach(field -> typed.put(field.name, Forms.field(request, field.name)));
        typed.put(NEW_NAME, Forms.field(request, NEW_NAME));
        typed.put(NEW_VALUE, Forms.field(request, NEW_VALUE));
        typed.forEach((name, text) -> {
            if (!name.equals(BODY) && !textLock(text).isEmpty()) {
                throw new Refusal(400, "What was typed for " + name + " is too long, or has signs that do not show.");
            }
        });
        typed.computeIfPresent(BODY, (name, text) -> lineEnds(text));
        return typed;
    }

    // Browsers send every line end as two characters.
    private String lineEnds(String text) {
        String lines = text.replace("\r\n", "\n").replace('\r', '\n');
        return bodyField().value.contains("\r\n") ? lines.replace("\n", "\r\n") : lines;
    }

    /**
     * Applies the edit under the row lock, so that only the first of two concurrent edits succeeds.
     *
     * @throws NoSuchElementException if the message has changed
     */
    public static MessageContent changed(MessageContent now, String seen, Map<String, String> typed, ContentMask mask) {
        if (!digest(now).equals(seen)) {
            throw new NoSuchElementException("Somebody else has edited it meanwhile");
        }
        return new MessageEdit(now, mask).changed(typed);
    }

    /** Applies the typed values; unchanged fields stay, even missing ones. */
    public MessageContent changed(Map<String, String> typed) {
        MessageContent.Builder builder = old.toBuilder();
        Map<String, Object> properties = new LinkedHashMap<>(old.properties());
        typed.forEach((name, text) -> {
            @Nullable Field field = fields.get(name);
            if (field == null || field.value.equals(text)) {
                return;
            }
            set(builder, properties, name, text);
        });
        addProperty(properties, typed);
        MessageContent changed = builder.build();
        if (!Arrays.equals(old.body(), changed.body()) && !isUtf8(changed.contentType())) {
            throw new Refusal(400, "The body is written as UTF-8, and the content type names another charset.");
        }
        return properties.equals(old.properties()) ? changed : changed.withProperties(properties);
    }

    private static void set(MessageContent.Builder builder, Map<String, Object> properties, String name, String text) {
        @Nullable String orNone = text.isEmpty() ? null : text;
        switch (name) {
            case SUBJECT -> builder.subject(orNone);
            case CONTENT_TYPE -> builder.contentType(orNone);
            case CORRELATION_ID -> builder.correlationId(orNone);
            case BODY -> builder.body(text.getBytes(StandardCharsets.UTF_8));
            default -> properties.put(name.substring(PROPERTY.length()), text);
        }
    }

    private static void addProperty(Map<String, Object> properties, Map<String, String> typed) {
        String name = typed.getOrDefault(NEW_NAME, "").strip();
        String value = typed.getOrDefault(NEW_VALUE, "");
        if (name.isEmpty() && !value.isEmpty()) {
            throw new Refusal(400, "Give the new property a name.");
        }
        if (name.isEmpty()) {
            return;
        }
        if (properties.containsKey(name)) {
            throw new Refusal(400, "There is a property of this name: change that one.");
        }
        try {
            properties.putAll(PropertyText.with(properties, Map.of(name, value)));
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, e.getMessage() + ".");
        }
    }

    /** The changes besides the body. */
    List<Change> changes(MessageContent now) {
        var before = plain();
        var after = new MessageEdit(now, mask).plain();
        var names = new ArrayList<>(before.keySet());
        after.keySet().stream().filter(name -> !before.containsKey(name)).forEach(names::add);
        return names.stream()
                .filter(name -> !Objects.equals(before.get(name), after.get(name)))
                .map(name -> new Change(name, before.getOrDefault(name, ""), after.getOrDefault(name, "")))
                .toList();
    }

    record Change(String name, String before, String after) {}

    private Map<String, String> plain() {
        var plain = new LinkedHashMap<String, String>();
        texts().forEach(field -> plain.put(field.name, field.value));
        return plain;
    }

    /** The version that a person saw. */
    public static String digest(MessageContent content) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (@Nullable String text :
                    new String[] {content.subject(), content.contentType(), content.correlationId(), content.headers()
                    }) {
                digest.update((text == null ? "\u0000" : text + "\u0001").getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest(content.body()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
