package dev.waybill.servicebus.embedded.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program, in a process of its own. */
@EmbeddedOnly("is about the program")
class MainTest {
    private final List<Process> started = new ArrayList<>();

    @TempDir
    Path directory;

    @AfterEach
    void endWhatIsLeft() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    private static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    @Test
    void it_serves_a_client_in_another_process_and_ends_cleanly() throws Exception {
        Path config = Files.writeString(directory.resolve("Config.json"), EmulatorConfigTest.sample());
        Process process = start("--config", config.toString(), "--port", "0", "--administration-port", "0");
        try (BufferedReader out = output(process)) {
            String connection = out.readLine();
            assertThat(connection).startsWith("Endpoint=sb://127.0.0.1:").contains("UseDevelopmentEmulator=true");
            assertThat(out.readLine()).startsWith("Administration: http://127.0.0.1:");
            assertThat(out.readLine()).isEqualTo("Ready");
            try (ServiceBusSenderClient sender = new ServiceBusClientBuilder()
                    .connectionString(connection)
                    .sender()
                    .queueName("queue.1")
                    .buildClient()) {
                sender.sendMessage(new ServiceBusMessage("hello"));
            }
            process.destroy();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_mistake_in_the_file_ends_it_with_status_two() throws Exception {
        Path config = Files.writeString(directory.resolve("bad.json"), "{\"UserConfig\": 5}");
        Process process = start("--config", config.toString(), "--port", "0");
        try (BufferedReader out = output(process)) {
            assertThat(out.readLine()).contains("UserConfig is no object");
        }
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
    }

    @Test
    void an_argument_that_is_not_known_ends_it_with_status_two() throws Exception {
        Process process = start("--prot", "1");
        try (BufferedReader out = output(process)) {
            assertThat(out.readLine()).contains("unknown argument --prot");
        }
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
    }
}
