package dev.waybill.servicebus.embedded.administration;

import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** An XML element of a request, found by its local name. The first of several with one name counts, as in Service Bus. */
final class XmlElement {
    private static final int MAX_DEPTH = 32;

    private final String name;
    private final String namespace;
    private final @Nullable String type;
    private final boolean nil;
    private final List<XmlElement> children = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    private XmlElement(String name, String namespace, @Nullable String type, boolean nil) {
        this.name = name;
        this.namespace = namespace;
        this.type = type;
        this.nil = nil;
    }

    /** Throws {@code IllegalArgumentException} if the document is not well-formed. */
    static XmlElement parse(byte[] document) {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            return read(factory.createXMLStreamReader(new ByteArrayInputStream(document)));
        } catch (XMLStreamException e) {
            throw new IllegalArgumentException("The request's body is no XML document: " + e.getMessage(), e);
        }
    }

    private static XmlElement read(XMLStreamReader reader) throws XMLStreamException {
        XmlElement document = new XmlElement("", "", null, false);
        Deque<XmlElement> open = new ArrayDeque<>();
        open.push(document);
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                if (open.size() > MAX_DEPTH) {
                    throw new IllegalArgumentException("The request's body is nested too deeply");
                }
                XmlElement element = begin(reader);
                open.element().children.add(element);
                open.push(element);
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                open.pop();
            } else if (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA) {
                open.element().text.append(reader.getText());
            }
        }
        return document;
    }

    private static XmlElement begin(XMLStreamReader reader) {
        String type = null;
        boolean nil = false;
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            if (reader.getAttributeLocalName(i).equals("type")) {
                type = reader.getAttributeValue(i);
            } else if (reader.getAttributeLocalName(i).equals("nil")) {
                nil = "true".equals(reader.getAttributeValue(i));
            }
        }
        String namespace = reader.getNamespaceURI();
        return new XmlElement(reader.getLocalName(), namespace == null ? "" : namespace, type, nil);
    }

    /** A copy with only these children. */
    XmlElement with(List<XmlElement> some) {
        XmlElement copy = new XmlElement(name, namespace, type, nil);
        copy.children.addAll(some);
        return copy;
    }

    boolean isOfServiceBus() {
        return namespace.equals(XmlText.SERVICE_BUS);
    }

    String name() {
        return name;
    }

    /** The type attribute without its prefix, or empty. */
    String type() {
        return type == null ? "" : type.substring(type.indexOf(':') + 1);
    }

    boolean isNil() {
        return nil;
    }

    String text() {
        return text.toString().trim();
    }

    List<XmlElement> children() {
        return children;
    }

    /** The first descendant with the name, or null. */
    @Nullable XmlElement find(String wanted) {
        for (XmlElement child : children) {
            if (child.name.equals(wanted)) {
                return child;
            }
            XmlElement deeper = child.find(wanted);
            if (deeper != null) {
                return deeper;
            }
        }
        return null;
    }

    /** The text of a child; null if it is missing, nil or empty. */
    @Nullable String text(String child) {
        for (XmlElement element : children) {
            if (element.name.equals(child) && !element.nil && !element.text().isEmpty()) {
                return element.text();
            }
        }
        return null;
    }
}
