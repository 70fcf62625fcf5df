package dev.waybill.standalone.console.access;

import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.ArrayList;
import java.util.List;

/** The routes of the API. Each request carries a token; sessions and cookies are ignored, which excludes cross-site requests. */
public final class ApiRoutes {
    private static final String BASE = "/api/v1";

    private final Javalin server;
    private final Access access;
    private final Databases databases;
    private final List<Operation> operations = new ArrayList<>();

    public ApiRoutes(Javalin server, Access access, Databases databases) {
        this.server = server;
        this.access = access;
        this.databases = databases;
    }

    public record Operation(String method, String path) {}

    @FunctionalInterface
    public interface Reply {
        void answer(Context request, SignedInRequest visit, Database database) throws Exception;
    }

    /** Whether the request gets a JSON answer, even for errors. */
    public static boolean isOfPrograms(Context request) {
        return request.path().startsWith(BASE + "/");
    }

    public List<Operation> operations() {
        return List.copyOf(operations);
    }

    /** A path without a database. */
    public void any(String path, PageHandler page) {
        add(HandlerType.GET, BASE + path, request -> page.answer(request, visit(request)));
    }

    /** A read of a database. */
    public void get(String path, Reply reply) {
        ofDatabase(HandlerType.GET, path, ConsoleRole.VIEWER, reply);
    }

    /** A read that needs a higher role. */
    public void get(String path, ConsoleRole needed, Reply reply) {
        ofDatabase(HandlerType.GET, path, needed, reply);
    }

    /** A change in a database. */
    public void post(String path, Reply reply) {
        ofDatabase(HandlerType.POST, path, ConsoleRole.OPERATOR, reply);
    }

    private void ofDatabase(HandlerType method, String path, ConsoleRole needed, Reply reply) {
        add(method, BASE + "/databases/{db}" + path, request -> {
            SignedInRequest visit = visit(request);
            String name = request.pathParam("db");
            Rights rights = visit.person().rights();
            Database database = databases
                    .find(name)
                    .filter(each -> rights.allows(ConsoleRole.VIEWER, name))
                    .orElseThrow(() -> new Refusal(404, "There is no database of this name that you may look at."));
            if (!rights.allows(needed, name)) {
                throw new Refusal(403, "That takes the role " + needed.word() + ".");
            }
            request.attribute(Database.ATTRIBUTE, database);
            reply.answer(request, visit, database);
        });
    }

    private void add(HandlerType method, String path, io.javalin.http.Handler handler) {
        operations.add(new Operation(method.name().toLowerCase(java.util.Locale.ROOT), path));
        server.addHttpHandler(method, path, handler);
    }

    private SignedInRequest visit(Context request) {
        Person program = access.program(request);
        // The API answers no forms, so the CSRF token is empty.
        var visit = new SignedInRequest(program, "");
        request.attribute(SignedInRequest.ATTRIBUTE, visit);
        return visit;
    }
}
