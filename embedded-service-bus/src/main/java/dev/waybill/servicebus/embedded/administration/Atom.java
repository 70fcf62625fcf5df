package dev.waybill.servicebus.embedded.administration;

import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** The envelopes around descriptions. */
final class Atom {
    private static final String NAMESPACE = "xmlns=\"http://www.w3.org/2005/Atom\"";

    private Atom() {}

    /** One entity. */
    static String entry(String id, String title, Instant published, String description) {
        return entry(NAMESPACE, id, title, published, description);
    }

    private static String entry(String namespace, String id, String title, Instant published, String description) {
        return new XmlText()
                .open("entry", namespace)
                .element("id", "https://localhost/" + id)
                .open("title", "type=\"text\"")
                .escape(title)
                .close("title")
                .element("published", published)
                .element("updated", published)
                .open("author", "")
                .element("name", "localhost")
                .close("author")
                .open("content", "type=\"application/xml\"")
                .raw(description)
                .close("content")
                .close("entry")
                .toString();
    }

    /** A page of entities; without any it is also what stands for an entity that is not there. */
    static <T> String feed(String title, Request request, List<T> all, Function<T, String> entry) {
        XmlText feed = new XmlText()
                .open("feed", NAMESPACE)
                .open("title", "type=\"text\"")
                .escape(title)
                .close("title")
                .element("id", "https://localhost/" + title);
        int end = Math.min(all.size(), request.skip() + request.top());
        if (end < all.size()) {
            feed.raw("<link rel=\"next\" href=\"https://localhost/?$skip=" + end + "&amp;$top=" + request.top()
                    + "\"/>");
        }
        all.stream().skip(request.skip()).limit(request.top()).forEach(item -> feed.raw(entry.apply(item)));
        return feed.close("feed").toString();
    }

    static String nothing(Request request) {
        return feed("nothing", request, List.of(), item -> "");
    }
}
