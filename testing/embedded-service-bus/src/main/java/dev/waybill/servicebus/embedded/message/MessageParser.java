package dev.waybill.servicebus.embedded.message;

import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.jspecify.annotations.Nullable;

/** Parses one encoded message: its offsets and its envelope. */
final class MessageParser {
    final byte[] bytes;
    final int start;
    final int end;
    int propertiesStart = -1;
    int applicationStart = -1;
    int bodyStart = -1;

    @Nullable Header header;

    @Nullable Properties properties;

    Map<Symbol, Object> annotations = Map.of();

    MessageParser(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.start = offset;
        this.end = offset + length;
        SectionScanner scanner = new SectionScanner(bytes, offset, length);
        while (bodyStart < 0 && scanner.advance()) {
            read(scanner);
        }
        scanner.toTheEnd();
        bodyStart = bodyStart < 0 ? end : bodyStart;
        applicationStart = applicationStart < 0 ? bodyStart : applicationStart;
        propertiesStart = propertiesStart < 0 ? applicationStart : propertiesStart;
    }

    private void read(SectionScanner section) {
        switch (section.code()) {
            case SectionScanner.HEADER -> header = decode(section, Header.class);
            case SectionScanner.DELIVERY_ANNOTATIONS -> {
                // Meant for the next hop, which is the broker.
            }
            case SectionScanner.MESSAGE_ANNOTATIONS -> annotations = annotations(section);
            case SectionScanner.PROPERTIES -> {
                propertiesStart = section.start();
                properties = decode(section, Properties.class);
            }
            case SectionScanner.APPLICATION_PROPERTIES -> {
                applicationStart = section.start();
                // Validated now: unreadable properties would otherwise fail at receivers.
                decode(section, ApplicationProperties.class);
            }
            default -> bodyStart = section.start();
        }
    }

    private Map<Symbol, Object> annotations(SectionScanner section) {
        Map<Symbol, Object> copy = new HashMap<>();
        MessageAnnotations decoded = decode(section, MessageAnnotations.class);
        if (decoded.getValue() != null) {
            copy.putAll(decoded.getValue());
        }
        return copy;
    }

    private <T> T decode(SectionScanner section, Class<T> type) {
        Object value = AmqpCodec.decode(bytes, section.start(), section.end() - section.start());
        if (!type.isInstance(value)) {
            throw new MalformedMessageException("A section is no " + type.getSimpleName());
        }
        return type.cast(value);
    }
}
