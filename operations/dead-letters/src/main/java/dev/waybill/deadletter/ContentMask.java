package dev.waybill.deadletter;

import dev.waybill.deadletter.redact.Redaction;
import dev.waybill.deadletter.redact.Redaction.UnreadableBodyException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Hides fields of messages from those who read them, and changes nothing. Fields have the names of {@link
 * DeadLetterArchive#redact(DeadLetterFilter, Collection, dev.waybill.hold.AuditContext)}. Immutable.
 */
public final class ContentMask {
    public static final ContentMask NONE = new ContentMask(Set.of(), null);

    public static final String HIDDEN = "masked";

    private static final String BODY = "body";
    private static final String PROPERTY = "property:";
    private static final String PROPERTIES = "headers";

    private final Set<String> fields;
    private final @Nullable Redaction redaction;

    private ContentMask(Set<String> fields, @Nullable Redaction redaction) {
        this.fields = fields;
        this.redaction = redaction;
    }

    /** Hides these fields; {@code IllegalArgumentException} names an unknown one. */
    public static ContentMask of(Collection<String> fields) {
        if (fields.isEmpty()) {
            return NONE;
        }
        return new ContentMask(
                fields.stream().map(FieldChange::key).collect(Collectors.toUnmodifiableSet()), Redaction.of(fields));
    }

    public boolean isEmpty() {
        return fields.isEmpty();
    }

    /** Whether a whole field is hidden, by its name in {@link FieldChange#field()}, or {@code description}. */
    public boolean hides(String field) {
        return fields.contains(FieldChange.key(field));
    }

    public boolean hidesInBodies() {
        return hides(BODY) || (redaction != null && redaction.hasPaths());
    }

    /** A body with null in place of hidden values. Empty if all of it is hidden, or if it is not JSON and may have some. */
    public Optional<byte[]> body(byte[] body) {
        if (hides(BODY)) {
            return Optional.empty();
        }
        try {
            return Optional.of(redaction == null ? body : redaction.withoutPaths(body));
        } catch (UnreadableBodyException e) {
            return Optional.empty();
        }
    }

    public FieldChange shown(FieldChange change) {
        if (hides(change.field()) || hidesColumn(change.field())) {
            return new FieldChange(change.field(), hidden(change.before()), hidden(change.after()));
        }
        return change.field().equals(BODY) && hidesInBodies()
                ? new FieldChange(BODY, text(change.before()), text(change.after()))
                : change;
    }

    // The audit of a hold names columns, and has one column for all properties.
    private boolean hidesColumn(String name) {
        return name.equals(PROPERTIES)
                ? fields.stream().anyMatch(field -> field.startsWith(PROPERTY))
                : !name.startsWith(PROPERTY) && hides(name.replace('_', '-'));
    }

    private static @Nullable String hidden(@Nullable String value) {
        return value == null ? null : HIDDEN;
    }

    private @Nullable String text(@Nullable String body) {
        return body == null
                ? null
                : body(body.getBytes(StandardCharsets.UTF_8))
                        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                        .orElse(HIDDEN);
    }
}
