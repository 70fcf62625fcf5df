package dev.waybill.servicebus.embedded;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A client of administration that sends whatever it is told to. */
final class RawAdministration {
    static final String CONNECT = "xmlns='http://schemas.microsoft.com/netservices/2010/10/servicebus/connect'";

    private final HttpClient client = HttpClient.newHttpClient();
    private final String base;

    RawAdministration(EmbeddedServiceBus bus) {
        this.base = "http://127.0.0.1:" + bus.administrationPort();
    }

    /** The status and the body of the answer. */
    String get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(base + path)).build());
    }

    /** Creates what the description describes. */
    String create(String path, String description) throws IOException, InterruptedException {
        return send(put(path, description).build());
    }

    String update(String path, String description) throws IOException, InterruptedException {
        return send(put(path, description).header("If-Match", "*").build());
    }

    private HttpRequest.Builder put(String path, String description) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .PUT(HttpRequest.BodyPublishers.ofString(
                        "<entry xmlns='http://www.w3.org/2005/Atom'><content type='application/xml'>" + description
                                + "</content></entry>"));
    }

    private String send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    /** A queue's description with these elements. */
    static String queue(String elements) {
        return "<QueueDescription " + CONNECT + ">" + elements + "</QueueDescription>";
    }
}
