package dev.waybill.standalone.message;

import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Indents XML from untrusted messages. Documents with a document type, deep nesting or a long result are refused. Not
 * thread-safe.
 */
final class PrettyXml {
    /** Deep nesting makes the indented text much longer. */
    private static final int LONGEST = 4 << 20;

    private static final int DEEPEST = 100;

    private final StringBuilder out = new StringBuilder();
    private final Deque<Element> open = new ArrayDeque<>();

    private PrettyXml() {}

    /** An open element; an element with text stays on its line, because blanks may matter. */
    private static final class Element {
        private final String name;
        private boolean isEmpty = true;
        private boolean hasText;
        private String blanks = "";

        Element(String name) {
            this.name = name;
        }
    }

    /** Stops parsing of unsuitable documents. */
    private static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreadableException() {
            super("Not shown as XML", null, false, false);
        }
    }

    /** Empty if the text is no suitable XML. */
    static Optional<String> of(String text) {
        if (!text.stripLeading().startsWith("<") || text.contains("<!DOCTYPE")) {
            return Optional.empty();
        }
        try {
            XMLStreamReader reader = factory().createXMLStreamReader(new StringReader(text));
            return Optional.of(new PrettyXml().written(reader));
        } catch (XMLStreamException | UnreadableException e) {
            return Optional.empty();
        }
    }

    // The factory of the JDK, whatever the class path contains.
    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("Nothing outside is read");
        });
        return factory;
    }

    private String written(XMLStreamReader reader) throws XMLStreamException, UnreadableException {
        if (reader.getVersion() != null) {
            out.append("<?xml version=\"").append(reader.getVersion()).append("\"?>");
        }
        while (reader.hasNext()) {
            write(reader, reader.next());
            if (out.length() > LONGEST || open.size() > DEEPEST) {
                throw new UnreadableException();
            }
        }
        return out.toString();
    }

    private void write(XMLStreamReader reader, int event) throws UnreadableException {
        switch (event) {
            case XMLStreamConstants.START_ELEMENT -> start(reader);
            case XMLStreamConstants.END_ELEMENT -> end();
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.SPACE, XMLStreamConstants.CDATA ->
                text(reader.getText());
            case XMLStreamConstants.COMMENT -> part("<!--" + reader.getText() + "-->");
            case XMLStreamConstants.PROCESSING_INSTRUCTION -> part(instruction(reader));
            case XMLStreamConstants.END_DOCUMENT -> {
                // The exception carries parts of the body.
            }
            default -> throw new UnreadableException();
        }
    }

    private static String instruction(XMLStreamReader reader) {
        String data = reader.getPIData();
        return "<?" + reader.getPITarget() + (data == null || data.isEmpty() ? "" : " " + data) + "?>";
    }

    private void start(XMLStreamReader reader) {
        String name = name(reader.getPrefix(), reader.getLocalName());
        var tag = new StringBuilder("<").append(name);
        for (int i = 0; i < reader.getNamespaceCount(); i++) {
            String prefix = reader.getNamespacePrefix(i);
            attribute(tag, prefix == null ? "xmlns" : "xmlns:" + prefix, reader.getNamespaceURI(i));
        }
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            attribute(
                    tag,
                    name(reader.getAttributePrefix(i), reader.getAttributeLocalName(i)),
                    reader.getAttributeValue(i));
        }
        part(tag.toString());
        open.push(new Element(name));
    }

    private static String name(String prefix, String local) {
        return prefix == null || prefix.isEmpty() ? local : prefix + ":" + local;
    }

    private static void attribute(StringBuilder tag, String name, String value) {
        String text = value == null ? "" : value;
        tag.append(' ')
                .append(name)
                .append("=\"")
                .append(escaped(text).replace("\"", "&quot;"))
                .append('"');
    }

    private void end() {
        Element ended = open.pop();
        if (ended.isEmpty && ended.blanks.isEmpty()) {
            out.append("/>");
            return;
        }
        if (ended.isEmpty) {
            out.append('>').append(ended.blanks);
        } else if (!ended.hasText) {
            line();
        }
        out.append("</").append(ended.name).append('>');
    }

    private void text(String text) {
        Element around = open.peek();
        if (around == null) {
            return;
        }
        if (text.isBlank() && !around.hasText) {
            around.blanks = text;
            return;
        }
        content(around);
        around.hasText = true;
        out.append(escaped(text));
    }

    private void part(String text) {
        Element around = open.peek();
        if (around != null) {
            content(around);
        }
        if (around == null || !around.hasText) {
            line();
        }
        out.append(text);
    }

    private void content(Element around) {
        if (around.isEmpty) {
            around.isEmpty = false;
            out.append('>');
        }
    }

    private void line() {
        if (out.length() > 0) {
            out.append('\n').append("  ".repeat(open.size()));
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
