package dev.waybill.servicebus.embedded.administration;

import org.jspecify.annotations.Nullable;

final class XmlText {
    static final String SERVICE_BUS = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";
    static final String COUNTS = "http://schemas.microsoft.com/netservices/2011/06/servicebus";
    private static final String INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

    private final StringBuilder text = new StringBuilder();

    XmlText open(String name, String attributes) {
        text.append('<')
                .append(name)
                .append(attributes.isEmpty() ? "" : " ")
                .append(attributes)
                .append('>');
        return this;
    }

    XmlText openDescription(String name) {
        return open(name, "xmlns=\"" + SERVICE_BUS + "\" xmlns:i=\"" + INSTANCE + "\"");
    }

    XmlText close(String name) {
        text.append("</").append(name).append('>');
        return this;
    }

    /** Writes nothing for null. */
    XmlText element(String name, @Nullable Object value) {
        if (value != null) {
            open(name, "");
            escape(value.toString());
            close(name);
        }
        return this;
    }

    XmlText raw(String xml) {
        text.append(xml);
        return this;
    }

    XmlText escape(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '&' -> text.append("&amp;");
                case '"' -> text.append("&quot;");
                default -> text.append(c < ' ' && c != '\n' && c != '\t' && c != '\r' ? ' ' : c);
            }
        }
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
