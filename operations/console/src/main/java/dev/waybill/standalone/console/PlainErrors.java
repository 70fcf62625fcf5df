package dev.waybill.standalone.console;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.handler.ErrorHandler;

/** The server's own error pages, without its name and version. */
final class PlainErrors extends ErrorHandler {
    PlainErrors() {
        setShowServlet(false);
        setShowStacks(false);
    }

    @Override
    public ByteBuffer badMessageError(int status, String reason, HttpFields.Mutable fields) {
        fields.put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        fields.put(HttpHeader.CACHE_CONTROL, "no-store");
        fields.put("X-Content-Type-Options", "nosniff");
        return ByteBuffer.wrap(("Refused with status " + status + ".\n").getBytes(StandardCharsets.UTF_8));
    }
}
