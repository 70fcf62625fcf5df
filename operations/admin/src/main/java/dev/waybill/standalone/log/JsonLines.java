package dev.waybill.standalone.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Encodes an event as one JSON object a line, without empty fields. Thread-safe. */
final class JsonLines extends EncoderBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final byte[] NONE = {};

    private final String instance;

    JsonLines(String instance) {
        this.instance = instance;
    }

    @Override
    public byte[] headerBytes() {
        return NONE;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        var line = new StringBuilder(256);
        line.append('{');
        field(line, "time", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
        field(line, "level", event.getLevel().toString());
        field(line, "instance", instance);
        field(line, "logger", event.getLoggerName());
        field(line, "message", String.valueOf(event.getFormattedMessage()));
        @Nullable IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            field(line, "thrown", ThrowableProxyUtil.asString(thrown).strip());
        }
        line.append("}\n");
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
        return NONE;
    }

    private static void field(StringBuilder line, String name, String value) {
        if (line.length() > 1) {
            line.append(',');
        }
        line.append('"').append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            escaped(line, value.charAt(i));
        }
        line.append('"');
    }

    private static void escaped(StringBuilder line, char c) {
        switch (c) {
            case '"' -> line.append("\\\"");
            case '\\' -> line.append("\\\\");
            case '\n' -> line.append("\\n");
            case '\r' -> line.append("\\r");
            case '\t' -> line.append("\\t");
            default -> {
                if (c < ' ' || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029' || c == '\u007f') {
                    line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                } else {
                    line.append(c);
                }
            }
        }
    }
}
