package dev.waybill.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.standalone.console.RawHttp.Answer;
import dev.waybill.standalone.console.access.TokensFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A console with tokens of programs, and a check of each answer against the description. */
@ExtendWith(PostgresExtension.class)
@Timeout(60)
abstract class DescribedApi {
    static final ObjectMapper JSON = new ObjectMapper();
    static final LocalDate FAR = LocalDate.of(2099, 1, 1);
    static final String MAIN = "/api/v1/databases/main";

    @TempDir
    Path directory;

    RunningConsole console;
    DSLContext dsl;
    String schema;
    Path tokens;
    String operator;
    String viewer;
    String elsewhere;
    String expired;
    JsonNode description;

    @BeforeEach
    void start(TestDatabase database) throws IOException {
        tokens = directory.resolve("tokens");
        operator = token("ci", "viewer,operator@main", FAR);
        viewer = token("board", "viewer", FAR);
        elsewhere = token("other", "operator@other", FAR);
        expired = token("old", "operator", LocalDate.of(2020, 1, 1));
        console = RunningConsole.withPeople(database, directory, "console.tokens-file", tokens.toString());
        dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        schema = database.schema();
        ExampleOutbox.fill(dsl, schema);
        description = JSON.readTree(console.http().get("/api/openapi.json").body());
    }

    String token(String name, String roles, LocalDate lastDay) throws IOException {
        TokensFile.Made made = TokensFile.make(name, roles, lastDay);
        String before = Files.exists(tokens) ? Files.readString(tokens) : "";
        Files.writeString(tokens, before + made.line() + "\n");
        return made.token();
    }

    final RawHttp as(String token) {
        return console.http().with("Authorization", "Bearer " + token);
    }

    final Answer post(String path, String tag, String json) {
        RawHttp typed = as(operator).with("Content-Type", "application/json");
        return checked("post", path, (tag.isEmpty() ? typed : typed.with("If-Match", tag)).postText(path, json));
    }

    final Answer get(String path) {
        return checked("get", path, as(operator).get(path));
    }

    final String field(Answer answer, String pointer) {
        try {
            return JSON.readTree(answer.body()).at(pointer).asText();
        } catch (IOException e) {
            throw new AssertionError(answer.body(), e);
        }
    }

    String rows(String query) {
        return dsl.fetch(query.formatted(schema)).formatCSV(false);
    }

    /** Each answer is what the description says of it. */
    final Answer checked(String method, String target, Answer answer) {
        String path = target.split("\\?", 2)[0]
                .replace("/databases/main", "/databases/{db}")
                .replaceAll("(?<=/messages)/[0-9]+(?=/|$)", "/{place}")
                .replaceAll("/[0-9]+(?=/|$)", "/{id}")
                .replaceAll("/[0-9a-f]{8}-[0-9a-f-]{27}(?=/|$)", "/{run}");
        JsonNode operation = description.path("paths").path(path).path(method);
        assertThat(operation.isMissingNode()).as(method + " " + path).isFalse();
        JsonNode wanted = answer.status() == 200
                ? operation
                        .at("/responses/200/content")
                        .path("application/json")
                        .path("schema")
                : description
                        .at("/components/responses/Problem/content")
                        .path("application/problem+json")
                        .path("schema");
        assertThat(answer.header("Content-Type"))
                .as(answer.body())
                .isEqualTo(answer.status() == 200 ? "application/json" : "application/problem+json");
        assertThat(violations(wanted, answer.body())).as(target).isEmpty();
        return answer;
    }

    private Set<ValidationMessage> violations(JsonNode schemaOfAnswer, String body) {
        try {
            var whole = JSON.createObjectNode();
            whole.set("$ref", schemaOfAnswer.get("$ref"));
            whole.set("components", closed(description.get("components").deepCopy()));
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(whole)
                    .validate(JSON.readTree(body));
        } catch (IOException e) {
            throw new AssertionError(body, e);
        }
    }

    // Readers have to take members that they do not know; the description has to know all.
    private static JsonNode closed(JsonNode part) {
        if (part instanceof ObjectNode schemaOfObject && part.path("properties").isObject()) {
            schemaOfObject.put("additionalProperties", false);
        }
        part.forEach(DescribedApi::closed);
        return part;
    }
}
