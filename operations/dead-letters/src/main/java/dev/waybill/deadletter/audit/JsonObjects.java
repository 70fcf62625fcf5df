package dev.waybill.deadletter.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class JsonObjects {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonObjects() {}

    /** Writes a flat object: numbers, booleans, null and lists as such, everything else as text. */
    static String write(Map<String, ? extends @Nullable Object> members) {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            for (var member : members.entrySet()) {
                json.writeFieldName(member.getKey());
                writeValue(json, member.getValue());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("A text in memory could not be written", e);
        }
        return text.toString();
    }

    private static void writeValue(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value == null || (value instanceof Double number && !Double.isFinite(number))) {
            json.writeNull();
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Collection<?> list) {
            json.writeStartArray();
            for (Object each : list) {
                writeValue(json, each);
            }
            json.writeEndArray();
        } else {
            json.writeString(value.toString());
        }
    }
}
