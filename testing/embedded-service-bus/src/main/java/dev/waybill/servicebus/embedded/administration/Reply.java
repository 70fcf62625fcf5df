package dev.waybill.servicebus.embedded.administration;

record Reply(int status, String type, String body) {
    private static final String ENTRY = "application/atom+xml;type=entry;charset=utf-8";
    private static final String FEED = "application/atom+xml;type=feed;charset=utf-8";
    private static final String XML = "application/xml; charset=utf-8";
    private static final String JSON = "application/json";

    static Reply ok(String body) {
        return new Reply(200, body.startsWith("<feed") ? FEED : ENTRY, body);
    }

    static Reply created(String body) {
        return new Reply(201, ENTRY, body);
    }

    static Reply done() {
        return new Reply(200, XML, "");
    }

    static Reply healthy() {
        return new Reply(200, JSON, "{\"status\":\"healthy\"}");
    }

    static Reply unhealthy() {
        return new Reply(503, JSON, "{\"status\":\"unhealthy\"}");
    }

    static Reply error(int status, String detail) {
        return new Reply(
                status,
                XML,
                new XmlText()
                        .open("Error", "")
                        .element("Code", status)
                        .element("Detail", detail)
                        .close("Error")
                        .toString());
    }
}
