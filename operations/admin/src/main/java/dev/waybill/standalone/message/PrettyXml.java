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
 * XML with an element a line. It comes from anybody: one with a document type, which could name entities and files, is not
 * read, and neither is one that is deep or becomes long. Not thread-safe.
 */
final class PrettyXml {
    /** Deep nesting makes little text long. */
    private static final int LONGEST = 4 << 20;

    private static final int DEEPEST = 100;

    private final StringBuilder out = new StringBuilder();
    private final Deque<Element> open = new ArrayDeque<>();

    private PrettyXml() {}

    /** An element whose end has not come; one with text stays in its line, since blanks may mean something there. */
    private static final class Element {
        private final String name;
        private boolean isEmpty = true;
        private boolean hasText;
        private String blanks = "";

        Element(String name) {
            this.name = name;
        }
    }

    /** Ends the reading of what is not shown as XML. */
    private static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreadableException() {
            super("Not shown as XML", null, false, false);
        }
    }

    /** Empty if the text is no XML that can be shown. */
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

    // The platform's own, whatever else is on the class path.
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
                // Nothing of it is written.
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

    /** An element, a comment or an instruction. */
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
