package dev.waybill.deadletter.redact;

import dev.waybill.deadletter.DeadLetter.EmptiedReason;
import dev.waybill.deadletter.store.DeadLetterRows;
import dev.waybill.message.BrokerNames;
import dev.waybill.message.Headers;
import dev.waybill.message.WireContract;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * What is redacted: all content, or some fields. The tables of letters and of their versions have the same names of columns.
 * Immutable.
 *
 * @param fields for the audit; none for all content
 * @param columns that become empty
 * @param properties that are removed
 * @param paths of the body whose values become null
 */
public record Redaction(List<String> fields, Set<String> columns, Predicate<String> properties, List<BodyPath> paths) {
    static final String EMPTIED = "emptied";
    private static final String HEADERS = "headers";
    private static final String BODY = "payload";
    private static final String CLAIM = "claim";
    private static final String DESCRIPTION = "description";
    private static final String OURS = "waybill-";
    private static final String PROPERTY = "property:";
    private static final String PATH = "body:";

    private static final Map<String, String> NAMES = Map.of(
            "body",
            BODY,
            DESCRIPTION,
            DESCRIPTION,
            "subject",
            "subject",
            "content-type",
            "content_type",
            "correlation-id",
            "correlation_id",
            "to",
            "to_address",
            "reply-to",
            "reply_to",
            "reply-to-session",
            "reply_to_session_id",
            "partition-key",
            "partition_key");

    public static final Redaction EVERYTHING = new Redaction(
            List.of(), withClaim(NAMES.values()), name -> !name.startsWith(OURS) || isClaim(name), List.of());

    public static Redaction of(Collection<String> fields) {
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("Name the fields to redact, or redact everything");
        }
        var columns = new LinkedHashSet<String>();
        var properties = new LinkedHashSet<String>();
        var paths = new ArrayList<BodyPath>();
        for (String field : fields) {
            if (field.startsWith(PATH)) {
                paths.add(BodyPath.of(field.substring(PATH.length())));
            } else if (isForeignProperty(field)) {
                properties.add(BrokerNames.key(field.substring(PROPERTY.length())));
            } else if (NAMES.containsKey(field)) {
                columns.add(NAMES.get(field));
            } else {
                throw new IllegalArgumentException("'" + field + "' cannot be redacted; fields are "
                        + String.join(", ", NAMES.keySet().stream().sorted().toList())
                        + ", property:NAME but for Waybill's own, and body:/PATH/IN/JSON");
            }
        }
        boolean body = columns.contains(BODY);
        return new Redaction(
                List.copyOf(fields),
                body ? withClaim(columns) : columns,
                name -> properties.contains(BrokerNames.key(name)) || (body && isClaim(name)),
                List.copyOf(paths));
    }

    private static boolean isForeignProperty(String field) {
        return field.startsWith(PROPERTY)
                && field.length() > PROPERTY.length()
                && !field.startsWith(OURS, PROPERTY.length());
    }

    private static Set<String> withClaim(Collection<String> columns) {
        var all = new LinkedHashSet<>(columns);
        all.add(CLAIM);
        return all;
    }

    private static boolean isClaim(String property) {
        return property.equals(WireContract.CLAIM);
    }

    public boolean isEverything() {
        return fields.isEmpty();
    }

    /** Redacts a row in memory. False if there was nothing to redact. */
    boolean apply(Record row) throws UnreadableBodyException {
        Object[] before = row.intoArray();
        if (hasPaths()) {
            set(row, BODY, withoutPaths(readable(row)));
        }
        columns.forEach(column -> set(row, column, empty(column)));
        set(row, HEADERS, withoutProperties((String) row.get(HEADERS)));
        if (isEverything() || !Arrays.deepEquals(before, row.intoArray())) {
            set(row, EMPTIED, DeadLetterRows.column(EmptiedReason.REDACTED));
        }
        return !Arrays.deepEquals(before, row.intoArray());
    }

    private byte[] readable(Record row) throws UnreadableBodyException {
        @Nullable String headers = (String) row.get(HEADERS);
        if (headers != null && Headers.read(headers).containsKey(WireContract.CLAIM)) {
            throw new UnreadableBodyException("its body is kept outside");
        }
        return (byte[]) row.get(BODY);
    }

    private static @Nullable Object empty(String column) {
        return column.equals(BODY) ? new byte[0] : column.equals(DESCRIPTION) ? "" : null;
    }

    private @Nullable String withoutProperties(@Nullable String headers) {
        if (headers == null) {
            return null;
        }
        var left = new LinkedHashMap<>(Headers.read(headers));
        if (!left.keySet().removeIf(properties)) {
            return headers;
        }
        return left.isEmpty() ? null : Headers.write(left);
    }

    // A former version has neither description nor claim.
    @SuppressWarnings("unchecked")
    private static void set(Record row, String column, @Nullable Object value) {
        Field<Object> field = (Field<Object>) row.field(column);
        if (field != null) {
            row.set(field, value);
        }
    }

    static Set<String> changeable() {
        var all = new LinkedHashSet<>(EVERYTHING.columns);
        all.add(HEADERS);
        return all;
    }

    public boolean hasPaths() {
        return !paths.isEmpty();
    }

    /** The body with null at the paths; the same array if there is no value there. */
    public byte[] withoutPaths(byte[] body) throws UnreadableBodyException {
        byte[] without = body;
        for (BodyPath path : paths) {
            without = path.without(without);
        }
        return without;
    }

    /** A body is not JSON, or is kept outside its message. */
    public static final class UnreadableBodyException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreadableBodyException(String why) {
            super(why);
        }
    }
}
