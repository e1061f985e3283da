import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import software.amazon.event.ruler.JsonRuleCompiler;
import software.amazon.event.ruler.Machine;

/** Answers each line ["pattern", "event"] with true, false, divided, or error and why the pattern is refused. */
final class RulerLines {
  public static void main(String[] arguments) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream answers = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        answers.flush();
      } else {
        JsonNode pair = mapper.readTree(line);
        answers.println(answer(pair.get(0).asText(), pair.get(1).asText()));
      }
    }
    answers.flush();
  }

  /** Ruler has two ways to walk its machine, which ought to agree; divided where they do not. */
  private static String answer(String pattern, String event) {
    Machine walked = Machine.builder().withStructuredMatching(true).build();
    Machine stepped = Machine.builder().withStructuredMatching(false).build();
    try {
      for (Machine machine : List.of(walked, stepped)) {
        // Not Machine.addRule, which reads a faulty $or as a field of that name.
        JsonRuleCompiler.compile(pattern, false).forEach(rule -> machine.addPatternRule("rule", rule));
      }
    } catch (Exception e) {
      return "error " + String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    }
    try {
      boolean matches = !walked.rulesForJSONEvent(event).isEmpty();
      return matches == !stepped.rulesForJSONEvent(event).isEmpty() ? String.valueOf(matches) : "divided";
    } catch (Exception e) {
      return "failed " + e;
    }
  }
}
