package dev.waybill.servicebus.embedded.administration;

/**
 * An answer.
 *
 * @param status the HTTP status
 * @param body an XML document, or empty
 */
record Reply(int status, String body) {
    static Reply ok(String body) {
        return new Reply(200, body);
    }

    static Reply created(String body) {
        return new Reply(201, body);
    }

    static Reply done() {
        return new Reply(200, "");
    }

    static Reply error(int status, String detail) {
        return new Reply(
                status,
                new XmlText()
                        .open("Error", "")
                        .element("Code", status)
                        .element("Detail", detail)
                        .close("Error")
                        .toString());
    }
}
