package dev.waybill.deadletter.redact;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.waybill.deadletter.redact.Redaction.UnreadableBodyException;
import dev.waybill.deadletter.store.StorableValues;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A path in JSON bodies as in RFC 6901, such as {@code /customer/email}. A segment {@code *} matches every member of an object
 * and every element of an array.
 */
record BodyPath(List<String> segments) {
    private static final int OFF = -1;

    // Names come from any sender and are not interned; bodies have up to 100 MiB.
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    static BodyPath of(String path) {
        if (!path.startsWith("/") || path.length() < 2) {
            throw new IllegalArgumentException("A path in a body is written body:/name/name, not body:" + path);
        }
        return new BodyPath(Stream.of(path.substring(1).split("/", -1))
                .map(segment -> segment.replace("~1", "/").replace("~0", "~"))
                .toList());
    }

    /** The body with null at the path; the same array if there is no value there. */
    byte[] without(byte[] body) throws UnreadableBodyException {
        if (body.length == 0) {
            return body;
        }
        @Nullable String left = copy(body, false);
        // Half of a surrogate pair has a form in JSON, and none in UTF-8.
        if (left != null && StorableValues.hasHalfPair(left)) {
            left = copy(body, true);
        }
        return left == null ? body : left.getBytes(StandardCharsets.UTF_8);
    }

    private @Nullable String copy(byte[] body, boolean escaped) throws UnreadableBodyException {
        var text = new StringWriter();
        try (JsonParser in = JSON.createParser(body);
                JsonGenerator out = JSON.createGenerator(text)) {
            out.configure(JsonWriteFeature.ESCAPE_NON_ASCII.mappedFeature(), escaped);
            if (in.nextToken() == null) {
                throw new UnreadableBodyException("its body is no JSON");
            }
            boolean found = copy(in, out, 0);
            if (in.nextToken() != null) {
                throw new UnreadableBodyException("its body is JSON with something behind it");
            }
            out.flush();
            return found ? text.toString() : null;
        } catch (JsonProcessingException | CharConversionException e) {
            throw new UnreadableBodyException("its body is no JSON");
        } catch (IOException e) {
            throw new UncheckedIOException("A body in memory could not be read", e);
        }
    }

    // The number of segments that lead to this value; OFF if it is not on the path.
    private boolean copy(JsonParser in, JsonGenerator out, int depth) throws IOException {
        if (depth == segments.size()) {
            boolean something = in.currentToken() != JsonToken.VALUE_NULL;
            in.skipChildren();
            // A text is parsed only when it is read, and may be invalid.
            in.finishToken();
            out.writeNull();
            return something;
        }
        return switch (in.currentToken()) {
            case START_OBJECT -> copyObject(in, out, depth);
            case START_ARRAY -> copyArray(in, out, depth);
            // As text: to parse a number of many digits is slow.
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                out.writeNumber(in.getText());
                yield false;
            }
            default -> {
                out.copyCurrentEvent(in);
                yield false;
            }
        };
    }

    private boolean copyObject(JsonParser in, JsonGenerator out, int depth) throws IOException {
        boolean found = false;
        out.writeStartObject();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            out.writeFieldName(name);
            in.nextToken();
            found |= copy(in, out, next(depth, name));
        }
        out.writeEndObject();
        return found;
    }

    private boolean copyArray(JsonParser in, JsonGenerator out, int depth) throws IOException {
        boolean found = false;
        out.writeStartArray();
        for (int i = 0; in.nextToken() != JsonToken.END_ARRAY; i++) {
            found |= copy(in, out, next(depth, Integer.toString(i)));
        }
        out.writeEndArray();
        return found;
    }

    private int next(int depth, String name) {
        return depth != OFF
                        && (segments.get(depth).equals("*")
                                || segments.get(depth).equals(name))
                ? depth + 1
                : OFF;
    }
}
