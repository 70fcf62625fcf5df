package dev.waybill.standalone.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.Writer;
import java.util.Optional;

/** Indents JSON. Duplicate members and long numbers stay unchanged. */
final class PrettyJson {
    /** Deep nesting makes the indented text much longer. */
    private static final int LONGEST = 4 << 20;

    private static final JsonFactory JSON = new JsonMapper().getFactory();

    private PrettyJson() {}

    /** Empty if the text is no JSON or the result is too long. */
    static Optional<String> of(String text) {
        var pretty = new Bounded();
        var indenter = new DefaultIndenter("  ", "\n");
        try (JsonParser parser = JSON.createParser(text);
                JsonGenerator generator = JSON.createGenerator(pretty)) {
            generator.setPrettyPrinter(
                    new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter));
            while (parser.nextToken() != null) {
                generator.copyCurrentEventExact(parser);
            }
            generator.flush();
            return Optional.of(pretty.toString()).filter(json -> !json.isBlank());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static final class Bounded extends Writer {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void write(char[] characters, int from, int length) throws IOException {
            if (text.length() + length > LONGEST) {
                throw new IOException("Too long");
            }
            text.append(characters, from, length);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
