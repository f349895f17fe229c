// The words of the page train in German.
export default {
  "train.heading": "Training",
  "train.hero": "Einem Netz beim Lernen zusehen",
  "train.hero.words":
    "Es fängt mit zufälligen Gewichten an und spielt gegen sich selbst. Nach jedem Spiel korrigiert es, was es vor jedem seiner Züge erwartet hat. Nach 4.000 Spielen spielt es vernünftige Eröffnungen. Seine Eingaben helfen ihm: Außer dem Brett sagen sie, was Menschen zählen, etwa Pips und Primes. Die 4.000 Spiele dauern 3 Sekunden Rechenzeit, auf einem beschäftigten Rechner länger.",
  "train.hero.begin": "4.000 Spiele trainieren",
  "train.hero.curve": "Eine Lernkurve: von −1,1 über null bis +0,5 Punkte je Spiel gegen PubEval",
  "train.hero.example": "Eine Kurve aus dem Kurs: 30.000 Spiele eines solchen Laufs.",
  "train.course":
    "Der Kurs „How nonet learns“ (auf Englisch) erklärt die Lernregeln, Lambda, worauf ein Netz achtet und wie die Stärke gemessen wird. Seine Links öffnen hier das Formular eines Laufs.",
  "train.course.open": "Den Kurs öffnen",
  "train.try": "Versuche",
  "train.try.seed": "Startwert aller Läufe",
  "train.try.seed.how":
    "Ein Startwert ist eine Stichprobe des Zufalls. Der Satz unter einem Ergebnis sagt, was die Startwerte 1, 2 und 3 gezeigt haben.",
  "train.whole": "Eine ganze Zahl über 0, etwa 20000",
  "train.seed.how": "Eine ganze Zahl ab 0 mit höchstens 15 Ziffern, etwa 1",
  "train.quoted": "„{name}“",
  "train.quoted.games": "„{name}“ ({games} {n:Spiel|Spiele})",
  "train.fault.schedule":
    "Schreib einen Wert wie 0,01 oder einen fallenden wie 0,1..0,001, nicht „{value}“.",
  "train.fault.lambda": "Schreib eine Zahl von 0 bis 1, etwa 0,6, nicht „{value}“.",
  "train.fault.noTest": "Höchstens {games}, die Spiele des Laufs.",
  "train.fault.between": "Es muss zwischen {low} und {high} liegen, nicht bei {value}.",
  "train.fault.above": "Es muss über {low} und höchstens {high} sein, nicht {value}.",
  "train.fault.least": "Es müssen mindestens {low} sein, nicht {value}.",
  "train.fault.even":
    "Die Zahl muss gerade sein, nicht {value}: Jede Folge von Würfen wird von beiden Seiten gespielt.",
  "train.fault.taken": "Es gibt schon einen Lauf „{name}“: Nimm einen anderen Namen.",
  "train.try.waits":
    "{names} {n:wartet|warten}: Ein Lauf startet, wenn der Server Platz hat. Dieser Browser merkt sich die Warteschlange und arbeitet sie ab, solange diese Seite offen ist.",
  "train.try.drop": "Nicht starten",
  "train.try.same": "„{run}“ ist der Lauf mit {option} {value}.",
  "train.try.course": "Im Kurs (auf Englisch): „{heading}“.",
  "train.try.begin.2": "Beide starten und vergleichen",
  "train.try.begin.3": "Alle drei starten und vergleichen",
  "train.try.size": "{n} Läufe mit {games} Spielen: etwa {seconds} Sekunden Rechenzeit.",
  "train.try.seeds": "Mit den Startwerten {seeds}",
  "train.try.hidden": "Zählen verdeckte Einheiten?",
  "train.try.hidden.why":
    "Ein Netz für alle Stellungen, mit 40 verdeckten Einheiten oder ohne. Ein lineares Netz addiert, was es sieht: Es sieht nicht, was erst zwei Tatsachen zusammen bedeuten. Beide lernen aus 12.000 Spielen mit der festen Rate 0,003; bei hohen Raten divergiert ein lineares Netz.",
  "train.try.hidden.after":
    "Das Netz mit verdeckten Einheiten liegt am Ende vorn, um 0,2 bis 0,3 Punkte je Spiel. Bis 1.500 Spiele kann jedes der beiden vorn liegen. Nach 3.000 Spielen gewinnen beide wenig dazu, und das lineare holt nicht auf.",
  "train.try.nets": "Drei Netze oder neun?",
  "train.try.nets.why":
    "Jedes von neun Netzen spezialisiert sich auf eine Klasse von Stellungen, sieht aber weniger Stellungen, aus denen es lernt.",
  "train.try.nets.after":
    "Nach 4.000 Spielen liegen drei Netze vorn: Jedes sieht mehr Stellungen. Ob neun Netze am Ende vorn liegen, zeigt erst ein längerer Lauf.",
  "train.try.rate": "Wie schnell soll es lernen?",
  "train.try.rate.why":
    "Drei Läufe: Einer lernt mit einer Rate, die von 0,1 auf 0,001 fällt, einer mit der festen Rate 0,1, einer mit 0,003. Theorie: Eine hohe Rate lernt schnell und bleibt unruhig, eine niedrige lernt glatt und langsam. Eine fallende beginnt schnell und endet glatt.",
  "train.try.rate.after":
    "Die niedrige Rate liegt weit zurück. Die hohe und die fallende liegen gleichauf: 4.000 Spiele entscheiden zwischen ihnen nichts. Die Unruhe einer hohen Rate ist hier nicht zu sehen, denn Tests von 200 Spielen schwanken stärker. Der Kurs vergleicht eine fallende Rate mit der festen Rate 0,01: 100.000 Spiele, Architektur large.",
  "train.try.lambda": "Was bewirkt Lambda?",
  "train.try.lambda.why":
    "Drei Läufe: Einer lernt mit Lambda 0,6, nonets üblichem Wert, einer mit 0, einer mit 1, alle mit der Rate, die von 0,1 auf 0,001 fällt. Tesauro nahm 0,7. Mit Lambda 0 lernt eine Erwartung nur aus der nächsten. Mit Lambda 1 lernt sie nur aus dem Ergebnis, über das auch die Würfel entscheiden.",
  "train.try.lambda.after":
    "Lambda 0,6 liegt weit vor beiden. Mit Lambda 0 kommt die Nachricht vom Ergebnis in jedem Spiel nur eine Stellung weiter. Das gilt genau für eine Tabelle von Werten; ein Netz verallgemeinert, deshalb erfahren auch ähnliche Stellungen davon. Mit Lambda 1 steckt das Würfelglück in jedem Schritt, und Schritte von 0,1 sind dafür zu groß: „Lambda 1 in kleinen Schritten“ ist der nächste Versuch.",
  "train.try.steps": "Lambda 1 in kleinen Schritten",
  "train.try.steps.why":
    "Noch einmal Lambda 0,6 und 1, mit einer Rate, die von 0,01 auf 0,001 fällt. In kleinen Schritten mittelt sich das Würfelglück heraus.",
  "train.try.steps.after":
    "Sie liegen gleichauf, zwischen −0,01 und +0,06 Punkten je Spiel mit drei Startwerten. Kleine Schritte brauchen Zeit: Mit einer Rate von 0,1 bis 0,001 holte Lambda 0,6 nach ebenso vielen Spielen mehr als +0,2.",
  "train.try.inputs": "Was bewirken die Eingaben?",
  "train.try.inputs.why":
    "Ein Netz mit 40 verdeckten Einheiten für alle Stellungen. Es liest 393 Eingaben; 145 davon haben sich Menschen ausgedacht, etwa Pips, Schüsse und Primes. Das andere liest nur das Brett, in 248 rohen Eingaben. Auch das erste TD-Gammon las nur das Brett, in 198.",
  "train.try.inputs.after":
    "Rohe Eingaben liegen um einen halben Punkt je Spiel oder mehr zurück: Das Netz muss selbst herausfinden, was die anderen Eingaben sagen. TD-Gammon lernte aus Hunderttausenden von Spielen.",
  "train.try.tesauro": "Wie das erste TD-Gammon",
  "train.try.tesauro.why":
    "Ein Netz mit 40 verdeckten Einheiten, das nur das Brett liest, mit Tesauros Lambda 0,7 und der festen Rate 0,1. Später gab Tesauro seinem Netz Eingaben, die sich Menschen ausgedacht haben. Der andere Lauf hat solche Eingaben, die von nonet.",
  "train.try.tesauro.after":
    "Die ausgedachten Eingaben liegen um 0,2 bis 0,3 Punkte je Spiel vorn. Das Netz, das nur das Brett liest, spielt etwa so gut wie PubEval. Das erste TD-Gammon lernte aus 200.000 Spielen.",
  "train.shownOnly": "Es gibt noch keinen Lauf, und dieser Server startet keine.",
  "train.new": "Neuer Lauf",
  "train.pick": "Lauf",
  "train.pick.none": "auswählen",
  "train.runs": "Alle Läufe",
  "train.name": "Name",
  "train.games": "Spiele",
  "train.architecture": "Architektur",
  "train.architecture.words":
    "{n} {n:Netz|Netze} mit {weights} Tausend Gewichten. Jedes liest eine Stellung als Eingaben und gibt {outputs} Ausgaben: die Chancen, 1, 2 und 3 Punkte zu gewinnen und zu verlieren, und das mittlere Ergebnis. Das Mittel folgt aus den Chancen; nonet lernt es als eigene Ausgabe, wie Wiering, Patist und Mannen.",
  "train.architecture.one":
    "Ein Netz mit {weights} Tausend Gewichten. Es liest eine Stellung als Eingaben und gibt {outputs} Ausgaben: die Chancen, 1, 2 und 3 Punkte zu gewinnen und zu verlieren, und das mittlere Ergebnis. Das Mittel folgt aus den Chancen; nonet lernt es als eigene Ausgabe, wie Wiering, Patist und Mannen.",
  "train.net.inputs": "Eingaben",
  "train.net.hidden": "verdeckt",
  "train.net.outputs": "Ausgaben",
  "train.preset.medium":
    "neun Netze, die übliche Wahl; 280.000 Spiele brauchen 2 Minuten auf zwei schnellen Kernen",
  "train.preset.small": "drei Netze, lernt am schnellsten",
  "train.preset.large":
    "neun Netze; kleiner als medium: die größere von zweien im Paper über Spezialisten (Wiering, Patist & Mannen)",
  "train.preset.large.why": "(Name aus dem Paper)",
  "train.preset.swift": "neun Netze mit höchstens 40 verdeckten Einheiten, für tiefe Suche",
  "train.preset.linear": "neun Netze ohne verdeckte Schicht",
  "train.preset.single":
    "ein Netz für alle Stellungen; seine Eingaben sind das Brett und das, was Menschen zählen",
  "train.preset.single-linear":
    "ein lineares Netz für alle Stellungen; divergiert bei hohen Lernraten",
  "train.preset.single-raw": "ein Netz für alle Stellungen, das nur das Brett liest",
  "train.preset.option": "{name}: {weights} Gewichte",
  "train.net.label": "Ein Netz mit {layers} Einheiten",
  "train.net.each": "{n} Netze, je eins für:",
  "train.net.one": "Ein Netz für:",
  "train.method": "Lernregel",
  "train.method.td": "TD(λ)",
  "train.method.td-directed": "TD-directed(λ)",
  "train.method.tdleaf": "TDLeaf(λ)",
  "train.method.rootstrap": "RootStrap",
  "train.method.td.words":
    "Die Regel von Tesauros TD-Gammon: Die Erwartung vor jedem Zug des Spiels lernt aus den späteren Erwartungen und aus dem Ergebnis. nonet lernt nach jedem Spiel, wenn alle bekannt sind; TD-Gammon lernte nach jedem Zug. Lambda sagt, wie weit sie dabei vorausblickt: 0 nur bis zum nächsten Zug, 1 nur auf das Ergebnis. Alpha, die Lernrate, sagt, wie groß jeder Schritt ist.",
  "train.method.tdleaf.words":
    "TD(λ) mit einer Suche über zwei Züge: Gelernt wird die Stellung am Ende der besten Zugfolge, aus den Enden späterer Zugfolgen.",
  "train.method.rootstrap.words":
    "Für jede Stellung wird zwei Züge tief gesucht. Die Erwartung lernt, was die Suche findet, ohne auf das Ergebnis zu warten.",
  "train.tune": "Fine-Tuning am Ende:",
  "train.tune.how":
    "RootStrap lernt die letzten 2 % der Spiele und nimmt damit das Würfelglück heraus; TD-Gammon hatte so etwas nicht. Nur ab 5.000 Spielen.",
  "train.tuned": "mit Fine‑Tuning",
  "train.tuned.later": "Fine‑Tuning folgt",
  "train.tuned.after": "bestes Netz vor dem Fine‑Tuning",
  "train.tuned.games": "{n} Spiele",
  "train.tuned.some": "{n} Spiele; das beste Netz lernte {best} davon",
  "train.tuned.notYet": "noch keins",
  "train.tuned.same": "wie der letzte Test: Das Fine-Tuning macht beide zum selben Netz",
  "train.rule.tuned": "{rule}, den letzten {n} mit RootStrap",
  "train.rule.parts": "{rule}, die Spiele {parts} mit RootStrap",
  "train.more": "Mehr",
  "train.seed": "Startwert der Würfel",
  "train.alpha": "Lernrate",
  "train.lambda": "Lambda",
  "train.evalEvery": "Spiele zwischen Tests",
  "train.evalGames": "Spiele je Test",
  "train.finalGames": "Spiele des letzten Matches",
  "train.begin": "Starten",
  "train.running": "Gerade {n:läuft|laufen} {n} {n:Lauf|Läufe}. Läufe teilen sich den Prozessor.",
  "train.long":
    "{games} Spiele brauchen vielleicht etwa {hours} {n:Stunde|Stunden}. Den Lauf starten?",
  "train.rising":
    "Die Lernrate {alpha} steigt während des Laufs; üblich ist eine fallende. Den Lauf starten?",
  "train.stop": "Anhalten",
  "train.resume": "Fortsetzen",
  "train.extend": "Verlängern auf",
  "train.extend.games": "Spiele",
  "train.extend.more": "Ein längerer Lauf hat mehr als {n} Spiele.",
  "train.extend.sure": "„{name}“ auf {games} Spiele verlängern?",
  "train.extend.anew":
    "Das beste Netz wird neu bestimmt und das letzte Match neu gespielt. Das Ergebnis nach {games} Spielen, {result}, bleibt auf der Seite zu sehen.",
  "train.extend.experiment": "Dem Versuch „{experiment}“ fehlt dann dieser Lauf.",
  "train.unknown": "Es gibt keinen Lauf „{name}“.",
  "train.unknown.choose": "Wähle einen aus der Liste.",
  "train.extend.label": "Spiele des längeren Laufs",
  "train.again": "Einstellungen übernehmen …",
  "train.again.lacks": "Für diese Optionen des Laufs hat das Formular kein Feld: {options}.",
  "train.again.extended":
    "„{name}“ wurde auf {games} Spiele verlängert. Ein neuer Lauf von {games} Spielen lernt in einem Zug; sein Netz kann anders sein.",
  "train.extend.how":
    "Seine fallende Rate, {alpha}, wird über alle Spiele gestreckt: Sie steigt noch einmal und fällt dann langsamer.",
  "train.extend.tuned":
    "Das Fine-Tuning kommt am neuen Ende: TD(λ) lernt mit dem jetzigen Netz weiter, und RootStrap lernt die letzten {n} der {games} Spiele.",
  "train.report": "Bericht herunterladen",
  "train.saveNet": "Netz speichern",
  "train.title": "Umbenennen …",
  "train.title.label": "Titel des Laufs",
  "train.title.keep": "Speichern",
  "train.remove": "Löschen …",
  "train.remove.sure": "Den Lauf „{name}“ und seine Netze endgültig löschen?",
  "train.remove.match":
    "Ein offenes Match spielt gegen ein Netz von „{name}“: Stand {score}, begonnen {begun}.",
  "train.remove.finish": "Spiel es erst zu Ende, oder gib auf",
  "train.removed": "Der Lauf „{name}“ ist gelöscht.",
  "train.play": "Gegen dieses Netz spielen",
  "train.analyse": "Ein Match damit analysieren",
  "train.compare.with": "Vergleichen mit…",
  "train.position": "Eine Stellung mit diesem Netz",
  "train.nets": "Seine Netze: {name}",
  "train.progress": "Wie weit der Lauf ist",
  "train.details": "Befehl und Meldungen",
  "train.command.how":
    "Außer nach --eval-every gibt es Tests nach 100, 300, 1.000, 3.000 und 10.000 Spielen (--eval-at).",
  "train.command.copy": "Kopieren",
  "train.compare": "Mit {name} vergleichen",
  "train.compare.how": "Kreuze einen Lauf an, um ihn neben „{name}“ zu zeichnen.",
  "train.openings.boards": "Die Bretter",
  "train.openings.of": "Eröffnungen von „{name}“",
  "train.try.show": "Beide zeigen",
  "train.short.learning": "lernt",
  "train.short.play-off": "Stechen",
  "train.short.last-match": "letztes Match",
  "train.short.stopping": "hält an",
  "train.short.stopped": "angehalten",
  "train.short.finished": "fertig",
  "train.short.failed": "gescheitert",
  "train.short.running": "läuft",
  "train.ppg": "letzte Gewichte {ppg} im letzten Test",
  "train.listed.result": "letztes Match {ppg}",
  "train.phase.learning": "Es lernt, mit Tests dazwischen: bisher {games} von {all} Spielen.",
  "train.phase.playOff":
    "Der Lauf hat aus allen {all} Spielen gelernt. Jetzt spielen seine Netze gegeneinander, und das beste wird gemessen.",
  "train.phase.lastMatch": "Das beste Netz dieses Laufs spielt sein letztes Match, das es misst.",
  "train.phase.stopping": "Der Lauf speichert seinen Stand und hält an.",
  "train.state.stopped":
    "Angehalten und gesichert nach {games} von {all} {n:Spiel|Spielen}; der Lauf kann dort fortgesetzt werden.",
  "train.state.learned":
    "Angehalten nach allen {all} Spielen; Stechen und letztes Match sind nicht zu Ende. Der Lauf kann fortgesetzt werden.",
  "train.state.finished":
    "Fertig nach {all} Spielen mit {rule}. Im letzten Test {ppg} ± {half} Punkte je Spiel.",
  "train.state.result":
    "Fertig nach {all} Spielen mit {rule}. Ergebnis: Sein bestes Netz holte {result} ± {resultHalf} Punkte je Spiel im letzten Match von {played} Spielen, jede Folge neuer Würfel von beiden Seiten. Das Stechen wählte {net}.",
  "train.state.earlier": "Im letzten Match vor der Verlängerung: {results}.",
  "train.state.earlier.one": "{result} ± {half} Punkte je Spiel nach {games} Spielen",
  "train.state.before":
    "Dieses Netz stammt aus der Zeit {n:vor dem Fine-Tuning|vor dem letzten Fine-Tuning}.",
  "train.state.extended": "Der Lauf wurde verlängert ({lengths} Spiele).",
  "train.state.extended.rate":
    "Der Lauf wurde verlängert ({lengths} Spiele), und seine fallende Rate stieg noch einmal.",
  "train.net.average": "das Mittel der Gewichte nach {games} {n:Spiel|Spielen}",
  "train.net.weights": "die Gewichte nach {games} {n:Spiel|Spielen}",
  "train.state.failed": "Der Lauf ist gescheitert (auf Englisch: {why})",
  "train.firstTest": "Die Kurve beginnt mit dem ersten Test.",
  "train.average": "{name} (Mittel)",
  "train.line.average": "Mittel der Gewichte",
  "train.line.last": "letzte Gewichte",
  "train.averages":
    "Mit den gleitenden Mitteln der Gewichte. Ihr Fenster ist ein Viertel der bisherigen Spiele, höchstens 100.000 Spiele.",
  "train.chart.strength": "Stärke, mit 95-%-Intervallen",
  "train.chart.extended": "verlängert",
  "train.chart.games": "gelernte Spiele (logarithmisch)",
  "train.chart.ppg": "Punkte je Spiel gegen PubEval",
  "train.chart.errors": "TD-Fehler, nach Klasse der Stellung",
  "train.chart.errors.how":
    "Der TD-Fehler ist die Wurzel des mittleren Quadrats der Abstände zwischen Erwartungen und ihren Zielen. Kleiner heißt nicht stärker: Ein untrainiertes Netz ist mit sich einig, sodass der Fehler zuerst steigen kann. Die Ziele hängen von Regel und Lambda ab: Vergleiche Fehler von Läufen, die beides teilen.",
  "train.chart.errors.played":
    "Wegen der Würfel bleibt er selbst bei einem vollkommenen Netz über 0.",
  "train.chart.errors.tuned":
    "Wegen der Würfel bleibt er selbst bei einem vollkommenen Netz über 0. Fine-Tuning nimmt sie heraus: Am Ende eines solchen Laufs fällt der Fehler.",
  "train.chart.errors.searched":
    "Die Ziele von RootStrap sind Werte einer Suche, ohne Würfelglück: Diese Fehler sind mit denen von TD(λ) nicht zu vergleichen.",
  "train.chart.errors.both":
    "Die Ziele von RootStrap (gestrichelt) sind Werte einer Suche; in den Zielen der anderen Läufe steckt das Würfelglück. Die beiden Arten von Fehlern sind nicht zu vergleichen.",
  "train.chart.errors.axis":
    "nonet teilt Stellungen in neun Klassen, und ein Netz kann jede für sich lernen. Die Fehlerachse ist logarithmisch.",
  "train.chart.error": "TD-Fehler (Punkte)",
  "train.chart.shares": "Welche Stellungen vorkommen, nach Klasse",
  "train.chart.shares.how": "Die erste Klasse, die passt, entscheidet, in dieser Reihenfolge:",
  "train.class.endgame": "alle Steine beider Seiten sind im eigenen Heimfeld oder draußen",
  "train.class.race": "kein Stein kann mehr geschlagen werden",
  "train.class.no-back": "keine Seite hat einen Stein auf der Bar oder im Heimfeld der anderen",
  "train.class.prime":
    "der Spieler hat 5 besetzte Felder in Folge oder mehr, und ein gegnerischer Stein steht dahinter",
  "train.class.backgame":
    "eine Seite liegt 40 Pips oder mehr zurück und hat 3 Steine oder mehr im Heimfeld der anderen oder auf der Bar",
  "train.class.holding":
    "der Spieler hält Feld 4, 5, 6 oder 7 des Gegners, also sein eigenes Feld 21, 20, 19 oder 18",
  "train.class.own-home":
    "alle Steine des Spielers stehen auf den eigenen Feldern 8 bis 1 oder sind draußen",
  "train.class.opp-home":
    "alle Steine des Gegners stehen auf dessen Feldern 8 bis 1 oder sind draußen",
  "train.class.default": "jede andere Stellung",
  "train.chart.none": "Noch ist nichts bekannt.",
  "train.pubeval":
    "Der Gegner der Tests ist PubEval, Tesauros lineares Programm von 1993. In der Forschung dient es als Maßstab.",
  "train.playOff":
    "Das Stechen vergleicht Netze an einer anderen Stichprobe von Spielen, denn der beste Test war zum Teil Glück.",
  "train.compared": "Läufe im Vergleich: das letzte Match und die letzten Tests.",
  "train.compared.over": "Läufe im Vergleich ihrer letzten Matches.",
  "train.compared.shared": "In allen gleich: {shared}.",
  "train.verdict": "{first} liegt {by} ± {half} Punkte je Spiel vor {second} ({when}).",
  "train.verdict.unclear":
    "{first} und {second} sind nicht zu unterscheiden: {by} ± {half} Punkte je Spiel ({when}).",
  "train.verdict.lastMatch": "letztes Match",
  "train.verdict.tests": "Tests nach {games} Spielen",
  "train.verdict.seeds": "Mittel der letzten Matches mit den Startwerten {seeds}: {means}.",
  "train.verdict.overSeeds": "Mittel über {n} Startwerte, 95-%-t-Intervall",
  "train.differ.games": "Zahl der Spiele",
  "train.differ.rule": "Lernregel",
  "train.verdict.mixed":
    "Diese Läufe unterscheiden sich in {settings}: Der Vergleich sagt nicht, woran es liegt.",
  "train.commands": "Die Befehle der Läufe",
  "train.head.run": "Lauf",
  "train.head.architecture": "Architektur",
  "train.head.games": "Spiele",
  "train.head.rule": "Regel",
  "train.head.alpha": "Alpha",
  "train.head.lambda": "Lambda",
  "train.head.tuned": "Fine-Tuning",
  "train.head.seed": "Startwert",
  "train.head.result": "letztes Match",
  "train.head.earlier": "letztes Match davor",
  "train.head.earlierAt": "letztes Match bei {games}",
  "train.head.ppg": "letzter Test",
  "train.head.averagePpg": "Test des Mittels",
  "train.openings.said": "{net}: {n} von {all} wie in der Theorie.",
  "train.openings.mean": "Nach dem Champion verlieren seine Züge im Mittel {loss} Punkte.",
  "train.openings.best":
    "Das sind die Züge des besten Netzes, das die Knöpfe oben benutzen, mit 1-ply und ohne Dopplerwürfel.",
  "train.openings.notBest":
    "Die Knöpfe oben benutzen das beste Netz, {net}, das vielleicht andere Züge wählt. Diese hier sind mit 1-ply und ohne Dopplerwürfel gewählt.",
  "train.openings.slide": "Durch die Tests gehen",
  "train.openings.toBest": "Das beste Netz",
  "train.openings.open": "Die Seite Stellung mit diesem Wurf und dem besten Netz öffnen",
  "train.openings.since": "seit {games} Spielen",
  "train.openings.theory": "Theorie: {plays}",
  "train.openings.too": "Theorie auch: {plays}",
  "train.openings.rule":
    "Grün: Die Theorie hat diesen Zug. Rot und gestrichelt: Sie hat ihn nicht. Theorie ist Kit Woolseys Liste von 1995, bei 63, 54, 64 und 65 sind es die allgemein üblichen Züge. Nach dem Champion mit 3-ply verliert keiner von ihnen mehr als 0,03 Punkte. Ein Zug, der nicht sein bester ist, sagt, was er verliert: Ein roter, der wenig verliert, kann ebenso gut sein. „Etwa“ steht, wo der Zug nicht so tief gesucht wurde wie der beste.",
  "train.openings.since.how": "„Seit“ nennt den ersten Test, ab dem das Netz bei seinem Zug blieb.",
  "train.watch": "Dem Netz zusehen",
  "train.watch.begin": "Ein Spiel mit sich selbst",
  "train.watch.seed": "Startwert der Würfel",
  "train.watch.any": "beliebig",
  "train.watch.steps": "Durch das Spiel gehen",
  "train.watch.earlier": "Früherer Wurf",
  "train.watch.later": "Späterer Wurf",
  "train.watch.at": "Wurf des Spiels",
  "train.watch.pause": "Pause",
  "train.watch.goOn": "Weiter",
  "train.watch.again": "Von vorn",
  "train.watch.light": "Hell",
  "train.watch.dark": "Dunkel",
  "train.watch.turn": "Startwert {seed}, Wurf {at} von {all}.",
  "train.watch.plays": "{who} würfelt {dice}: {play}; Equity für {who}: {equity}.",
  "train.watch.cannot": "{who} würfelt {dice} und kann nicht ziehen.",
  "train.watch.wins": "{who} gewinnt {n} {n:Punkt|Punkte}.",
  "train.watch.side": "Jeder Zug ist von der Seite seines Spielers aus geschrieben.",
  "train.name.how": "Buchstaben, Ziffern, _ und -, höchstens 60; ein Leerzeichen wird zu -",
};
